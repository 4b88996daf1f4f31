/** Type tests of the elements' options in Vue templates (`vue-tsc`). */
import type {} from '@inlay/elements/vue';
import type { GlobalComponents } from 'vue';

type Chat = InstanceType<GlobalComponents['inlay-chat']>['$props'];

export const right: Chat = { baseUrl: 'https://chat.example', heading: 'Ask us' };

export const wrong: Chat[] = [
  // @ts-expect-error: `heading` is a string.
  { heading: 1 },
  // @ts-expect-error: `density` has other values.
  { density: 'huge' },
];
