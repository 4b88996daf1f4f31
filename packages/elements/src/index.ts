export { InlayMarkdown } from './lib/markdown/markdown.ts';
export { defineElements, tags } from './lib/tags.ts';
