import type { Entry } from '@inlay/client';
import { type LazyTag, waitForElement } from '../lazy-elements.ts';
import { ExtrasDetector } from '../markdown/needs-extras.ts';
import { isRich } from '../user-message/user-message.ts';

/** Lazy-loaded elements of entries. */
export const entryTags = {
  thinking: 'inlay-thinking',
  tool: 'inlay-tool-call',
  card: 'inlay-card',
  notice: 'inlay-notice',
} as const;

/** Number of entries, from the end, that can be in view when a conversation is opened. */
const entriesInView = 20;

/** Loads the elements that render the end of a conversation. Resolves when all have loaded or failed to load. */
export function loadEntryElements(entries: readonly Entry[]): Promise<unknown> {
  const tags = new Set<LazyTag>();
  for (const entry of entries.slice(-entriesInView)) {
    if (entry.kind === 'user') {
      if (entry.content.some(({ type }) => type !== 'text')) tags.add('inlay-file');
      if (isRich(entry)) tags.add('inlay-user-text');
    } else if (entry.kind === 'agent') {
      if (entry.citations.length > 0 || new ExtrasDetector().test(entry.text, false))
        tags.add('markdown-extras');
    } else tags.add(entryTags[entry.kind]);
    if (entry.kind === 'card' && entry.card.blocks.some(({ type }) => type === 'chart'))
      tags.add('inlay-chart');
  }
  return Promise.all([...tags].map(waitForElement));
}
