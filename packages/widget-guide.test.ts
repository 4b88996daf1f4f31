/**
 * Checks that the code in `docs/widget.md` is part of the demo, and that the guide mentions the whole
 * public interface of the chat.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { membersOf } from '../scripts/testing/declarations.ts';
import { checkCard } from './server/src/lib/runs/check-card.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/widget.md');

/** The code blocks of the guide in a language. */
const blocksOf = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

interface Named {
  readonly name: string;
  readonly kind?: string;
}
const { modules } = JSON.parse(read('packages/elements/custom-elements.json')) as {
  modules: {
    declarations: { tagName: string; members: readonly Named[]; slots: readonly Named[] }[];
  }[];
};
const [chat] = modules
  .flatMap(({ declarations }) => declarations)
  .filter(({ tagName }) => tagName === 'inlay-chat');
if (!chat) throw new Error('custom-elements.json has no inlay-chat.');
const nameOf = ({ name }: Named) => name;

/** Returns the names that the guide does not mention. */
const missing = (names: readonly string[]) => names.filter((name) => !guide.includes(`\`${name}`));

describe('the guide to the widget', () => {
  it('contains only code that is part of the demo', () => {
    const files = ['desk/embed.ts', 'desk/settings.ts', 'shared/page-tools.ts', 'react/embed.tsx'];
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

  it('mentions every option', () => {
    const options = chat.members.filter(({ kind }) => kind === 'field').map(nameOf);

    expect(options.length).toBeGreaterThan(20);
    expect(missing(options)).toEqual([]);
  });

  it('mentions every public event', () => {
    const events = membersOf(
      join(root, 'packages/elements/src/lib/events.ts'),
      'InlayEventDetails',
    );

    expect(events.length).toBeGreaterThan(20);
    expect(missing(events)).toEqual([]);
  });

  it('mentions every slot and every method of the chat', () => {
    const methods = chat.members.filter(({ kind }) => kind === 'method').map(nameOf);

    expect(chat.slots.length).toBeGreaterThan(3);
    expect(methods.length).toBeGreaterThan(9);
    expect(missing([...chat.slots.map(nameOf), ...methods])).toEqual([]);
  });
});
