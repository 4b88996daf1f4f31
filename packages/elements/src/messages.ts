import { loadElement, provideElements } from './lib/lazy-elements.ts';
import { lazyTags } from './lib/lazy-tags.ts';

/**
 * Registers `<inlay-message-list>`, for pages that show stored conversations without a chat. The elements
 * of cards, tool calls and files are loaded on demand.
 *
 * @returns Whether the elements could be loaded.
 */
export function defineMessages(): Promise<boolean> {
  provideElements(lazyTags);
  return loadElement('inlay-message-list');
}

/**
 * Registers `<inlay-chart>`, for pages that draw charts without a chat.
 *
 * @returns Whether the element could be loaded.
 */
export function defineChart(): Promise<boolean> {
  provideElements(lazyTags);
  return loadElement('inlay-chart');
}
