import { LateCode } from '../late-code.ts';

export type Story = typeof import('./story.ts');

/** What reads a conversation, and tells it. Until it is there, `early` tells what can be known. */
export const story = new LateCode<Story>(() => import('./story.ts'), 'reduce');
