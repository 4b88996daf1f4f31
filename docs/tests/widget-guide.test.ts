/** Checks that the code in `docs/widget.md` is part of the demo, and its card is accepted. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkCard } from '../../packages/server/src/lib/runs/check-card.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/widget.md');

/** The code blocks of the guide in a language. */
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

describe('the guide to the widget', () => {
  it('contains only code that is part of the demo', () => {
    const files = ['desk/embed.ts', 'shared/page-tools.ts', 'react/embed.tsx'];
    const sources = files.map((file) => read(`demo/pages/${file}`));
    const blocks = [...blocksOf('ts'), ...blocksOf('tsx')];

    expect(blocks.length).toBeGreaterThan(4);
    expect(blocks.filter((block) => !sources.some((source) => source.includes(block)))).toEqual([]);
  });

  it('contains a card that the platform accepts, with every kind of block', () => {
    const [card = ''] = blocksOf('json');
    const checked = checkCard(JSON.parse(card));

    expect(checked).toHaveProperty('card');
    for (const type of ['text', 'field', 'buttons', 'list', 'table', 'image', 'chart']) {
      expect(card).toContain(`"type": "${type}"`);
    }
  });
});
