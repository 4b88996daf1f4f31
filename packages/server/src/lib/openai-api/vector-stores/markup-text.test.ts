import { expect, it } from 'vitest';
import { htmlText } from './markup-text.ts';

async function textOf(html: string): Promise<string> {
  async function* pieces() {
    yield html;
  }
  let text = '';
  for await (const piece of htmlText(pieces())) text += piece;
  return text;
}

it.each([
  ['hidden elements that are nested deeply', `<svg>${'<g>'.repeat(6000)}</svg>`],
  [
    'a script after deeply nested elements',
    `${'<b>'.repeat(5450)}<script>${'a'.repeat(99)}</script>`,
  ],
])('text after %s is not lost', async (_, html) => {
  expect(await textOf(`${html}<p>Opening hours</p>`)).toContain('Opening hours');
});
