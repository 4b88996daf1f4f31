/** `docs/widget.md`, kept in step: its code runs in the demo, and nothing that a page can use is missing. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkCard } from './server/src/lib/cards/check-card.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/widget.md');

/** The blocks of code in a language. */
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

const missing = (names: (string | undefined)[]) =>
  names.filter((name) => !guide.includes(`\`${name}`));

describe('the guide to the widget', () => {
  it('shows only code that stands, word for word, in the demo', () => {
    const files = ['desk/embed.ts', 'desk/settings.ts', 'shared/page-tools.ts', 'react/embed.tsx'];
    const running = files.map((file) => read(`demo/pages/${file}`));
    const blocks = [...blocksOf('ts'), ...blocksOf('tsx')];

    expect(blocks.length).toBeGreaterThan(4);
    expect(blocks.filter((block) => !running.some((file) => file.includes(block)))).toEqual([]);
  });

  it('shows a card that the platform takes, with every kind of block', () => {
    const [card = ''] = blocksOf('json');
    const checked = checkCard(JSON.parse(card));

    expect(checked).toHaveProperty('card');
    for (const type of ['text', 'field', 'buttons', 'list', 'table', 'image', 'chart']) {
      expect(card).toContain(`"type": "${type}"`);
    }
  });

  it('names every option', () => {
    const source = read('packages/elements/src/lib/chat/chat-options.ts');
    const options = [...source.matchAll(/^ {2}@property\([^\n]*\) (\w+)/gm)].map(
      ([, name]) => name,
    );

    expect(options.length).toBeGreaterThan(20);
    expect(missing(options)).toEqual([]);
  });

  it('names every event that a page is told of', () => {
    const source = read('packages/elements/src/lib/events.ts');
    const from = source.indexOf('interface InlayEventDetails');
    const body = source.slice(from, source.indexOf('\n}', from));
    const events = [...body.matchAll(/^ {2}'(inlay-[\w-]+)'/gm)].map(([, name]) => name);

    expect(events.length).toBeGreaterThan(20);
    expect(missing(events)).toEqual([]);
  });

  it('names every slot and every method of the chat', () => {
    const source = read('packages/elements/src/lib/chat/chat.ts');
    const slots = [...source.matchAll(/^ \* @slot (\w+)/gm)].map(([, name]) => name);
    const methods = [...source.matchAll(/^ {2}(?:async )?([a-z]\w+)\([^)]*\)[:<]/gm)].map(
      ([, name]) => name,
    );

    expect(slots.length).toBeGreaterThan(3);
    expect(methods.length).toBeGreaterThan(9);
    expect(missing([...slots, ...methods])).toEqual([]);
  });
});
