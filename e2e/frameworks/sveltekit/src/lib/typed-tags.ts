/** Type tests of the elements' options in Svelte templates (`svelte-check`). */
import type {} from '@inlay/elements/svelte';
import type { SvelteHTMLElements } from 'svelte/elements';

type Chat = SvelteHTMLElements['inlay-chat'];

export const right: Chat = {
  'base-url': 'https://chat.example',
  heading: 'Ask us',
  'oninlay-error': (event) => event.detail.code.toUpperCase(),
};

export const wrong: Chat[] = [
  // @ts-expect-error: `heading` is a string.
  { heading: 1 },
  // @ts-expect-error: `density` has other values.
  { density: 'huge' },
  // @ts-expect-error: the event detail has `code`.
  { 'oninlay-error': (event) => event.detail.codes },
];
