/** The options of the tags, as `vue-tsc` knows them. */
import type {} from '@inlay/elements/vue';
import type { GlobalComponents } from 'vue';

type Chat = InstanceType<GlobalComponents['inlay-chat']>['$props'];

export const right: Chat = { baseUrl: 'https://chat.example', heading: 'Ask us' };

export const wrong: Chat[] = [
  // @ts-expect-error: a number is no heading.
  { heading: 1 },
  // @ts-expect-error: there is no such density.
  { density: 'huge' },
];
