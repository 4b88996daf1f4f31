import type { AgentEntry } from '@inlay/client';
import { needPart } from '../entry-parts.ts';
import type { Strings } from '../i18n/strings.ts';
import { timeOf } from '../i18n/times.ts';

/** Little by little, so that none is felt by somebody who types meanwhile. */
const samples = [
  'a',
  '## a',
  '*a* **b _c_**',
  '`a` [b](https://example.com)',
  '1. a\n   - [x] b\n\n> c',
  '| a |\n|---|\n| b |',
  '```\na\n```\n',
];

/** What is compiled, parsed and fetched is so for all lists of the page. */
let rehearsed = false;

/**
 * Draws answers that nobody sees, while the browser has nothing better to do. Whatever is drawn for
 * the first time takes several times as long: templates are parsed, style sheets and code compiled,
 * fonts looked for. The first answer is not to wait for that.
 */
export async function rehearse(root: ShadowRoot, strings: Strings): Promise<void> {
  // Where the browser does not tell when it is idle, practice would keep somebody waiting.
  if (rehearsed || !('requestIdleCallback' in globalThis)) return;
  rehearsed = true;
  await idle();
  // A browser takes long to make its first clock.
  timeOf(strings, Date.now(), Date.now());
  if (!(await needPart('inlay-markdown'))) return;
  for (const text of samples) {
    await idle();
    if (root.isConnected) await draw(root, text, strings);
  }
}

/** Within one task: nothing of it is ever painted. */
async function draw(root: ShadowRoot, text: string, strings: Strings) {
  const element = document.createElement('inlay-agent-message');
  element.className = 'rehearsal';
  element.strings = strings;
  element.entry = sampleOf(text);
  root.append(element);
  await element.updateComplete;
  await element.shadowRoot?.querySelector('inlay-markdown')?.updateComplete;
  element.getBoundingClientRect();
  element.remove();
}

function sampleOf(text: string): AgentEntry {
  return {
    kind: 'agent',
    key: 'rehearsal',
    id: null,
    at: 0,
    seq: null,
    text,
    progress: 'streaming',
    citations: [],
    feedback: null,
  };
}

function idle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve()));
}
