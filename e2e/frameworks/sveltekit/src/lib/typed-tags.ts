/** The options of the tags, as `svelte-check` knows them. */
import type {} from '@inlay/elements/svelte';
import type { SvelteHTMLElements } from 'svelte/elements';

type Chat = SvelteHTMLElements['inlay-chat'];

export const right: Chat = {
  'base-url': 'https://chat.example',
  heading: 'Ask us',
  'oninlay-error': (event) => event.detail.code.toUpperCase(),
};

export const wrong: Chat[] = [
  // @ts-expect-error: a number is no heading.
  { heading: 1 },
  // @ts-expect-error: there is no such density.
  { density: 'huge' },
  // @ts-expect-error: the detail has no such member.
  { 'oninlay-error': (event) => event.detail.codes },
];
