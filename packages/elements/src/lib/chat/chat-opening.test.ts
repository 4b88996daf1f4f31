import { defineChat } from '../tags.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, User } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

const answer = [
  'Your order left **this morning**.',
  '| Item | Price |\n| --- | --- |\n| Lamp | 49 € |',
  '```js\nconst parcel = track(10482);\n```',
  'It weighs 2&nbsp;kg.',
].join('\n\n');

const conversation = [
  ...Array.from({ length: 12 }, (_, index) => [
    events.user(`Question ${index}`),
    events.running(),
    events.agent(answer),
    events.idle(),
  ]).flat(),
  events.user('And my lamp?'),
  events.running(),
  {
    type: 'agent.tool_use',
    id: 'evt_tool',
    name: 'look_up_order',
    input: { order: '10482' },
  },
  { type: 'agent.tool_result', tool_use_id: 'evt_tool', content: [{ type: 'text', text: 'ok' }] },
  events.agent('Here are the parcels.'),
  {
    type: 'agent.card',
    card: {
      title: 'Parcels',
      blocks: [
        {
          type: 'chart',
          kind: 'bar',
          title: 'Parcels',
          labels: ['Mon'],
          series: [{ label: 'Sent', values: [3] }],
        },
      ],
    },
  },
  events.idle(),
];

/** Describes the visible boxes of a conversation. */
function layoutOf(chat: InlayChat): string {
  const list = chat.shadowRoot?.querySelector('inlay-message-list')?.getBoundingClientRect();
  if (!list) return '';
  const boxes = deepAll(chat, '.row, .row [part], .mark, .skeleton i, h3, .plain');
  return boxes
    .map((box) => ({ box, rect: box.getBoundingClientRect() }))
    .filter(({ rect }) => rect.height > 0 && rect.bottom > list.top && rect.top < list.bottom)
    .map(({ box, rect: { top, height } }) =>
      // The icon moves when the greeting and the note below the field have loaded.
      box.matches('.mark.loading')
        ? 'icon'
        : `${box.localName} ${Math.round(top)} ${Math.round(height)}`,
    )
    .join('\n');
}

/** Resolves in the next frame after layout, when the resize observers created so far have been called. */
function nextLayout(chat: InlayChat): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        resolve();
      });
      observer.observe(chat);
    });
  });
}

describe('opening a conversation', () => {
  before(() => defineChat());

  for (const width of [390, 900]) {
    it(`takes at most two layouts at ${width} px: the icon, then the end of the conversation`, async () => {
      const platform = testPlatform();
      platform.seed('kim', conversation);
      const chat = document.createElement('inlay-chat');
      Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
      Object.assign(chat.style, { height: '600px', width: `${width}px`, display: 'block' });
      mount(chat);
      const layouts: string[] = [];
      const user = new User(chat);
      for (
        let unchanged = 0;
        unchanged < 60 || !user.text.includes('Here are the parcels');
        unchanged += 1
      ) {
        await nextLayout(chat);
        const layout = layoutOf(chat);
        if (layout === '' || layout === layouts.at(-1)) continue;
        layouts.push(layout);
        unchanged = 0;
      }

      expect(layouts.slice(0, -1), layouts.at(-1)).to.satisfy(
        (before: string[]) => before.join() === '' || before.join() === 'icon',
      );
    });
  }
});
