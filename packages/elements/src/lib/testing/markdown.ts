import { english } from '../i18n/strings.ts';
import { MarkdownDocument } from '../markdown/markdown-document.ts';

const options = { imageOrigins: ['https://images.example'], strings: english };

/** A document that is not in the page, and the element that it writes into. */
export function createDocument() {
  const content = document.createElement('div');
  return {
    content,
    document: new MarkdownDocument(content, { ...options, chosenImages: new Set() }),
  };
}

/** The whole text in one piece. */
export function renderAtOnce(text: string): HTMLElement {
  const { content, document } = createDocument();
  document.update(text, false);
  return content;
}

/** The text in pieces of the given sizes, over and over, each shown before the next arrives. */
export function renderInPieces(text: string, sizes: readonly number[]): HTMLElement {
  const { content, document } = createDocument();
  let end = 0;
  for (let index = 0; end < text.length; index += 1) {
    end += Math.max(1, sizes[index % sizes.length] ?? 1);
    document.update(text.slice(0, end), true);
  }
  document.update(text, false);
  return content;
}

/** What is shown while more is on its way. */
export function renderUnfinished(text: string): HTMLElement {
  const { content, document } = createDocument();
  document.update(text, true);
  return content;
}
