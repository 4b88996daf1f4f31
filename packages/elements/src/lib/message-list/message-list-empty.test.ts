import '../../define-all.ts';
import { mountList } from '../testing/message-list.ts';
import { until } from '../testing/user.ts';

describe('an empty message list', () => {
  it('is a tab stop only while its content overflows', async () => {
    const { element, scroller } = await mountList([]);
    const greeting = document.createElement('p');
    greeting.slot = 'empty';
    element.append(greeting);
    for (const [height, tabIndex] of [
      ['900px', 0],
      ['20px', -1],
    ] as const) {
      greeting.style.blockSize = height;
      await until(`the tab index at ${height}`, () => scroller.tabIndex === tabIndex);
    }
  });
});
