import { english } from '../i18n/all-strings.ts';
import { installExtras } from '../markdown/extras.ts';
import { MarkdownDocument } from '../markdown/markdown-document.ts';
import * as markdownExtras from '../markdown/markdown-extras.ts';
import { expect } from './fixture.ts';

installExtras(markdownExtras);

const options = { imageOrigins: ['https://images.example'], strings: english };

/** Creates a document that renders into a detached element. */
export function createDocument() {
  const content = document.createElement('div');
  return {
    content,
    document: new MarkdownDocument(content, { ...options, chosenImages: new Set() }),
  };
}

/** Renders a complete text. */
export function renderComplete(text: string): HTMLElement {
  const { content, document } = createDocument();
  document.update(text, false);
  return content;
}

/** Renders a text that streams in pieces of these sizes, used cyclically. */
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

/** Renders a complete text, and expects the same result if the text streams in pieces of any size. */
export function renderInAnyPieces(text: string): HTMLElement {
  const content = renderComplete(text);
  for (const size of [1, 2, 3, 5, 7]) {
    expect(renderInPieces(text, [size]).innerHTML, `in pieces of ${size}`).to.equal(
      content.innerHTML,
    );
  }
  return content;
}

/** Renders a text that is still streaming. */
export function renderUnfinished(text: string): HTMLElement {
  const { content, document } = createDocument();
  document.update(text, true);
  return content;
}
