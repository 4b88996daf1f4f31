export type Story = typeof import('./story.ts');

/** Kept for all conversations of the page, once it is there. */
let story: Story | null = null;

/** What only some conversations need: branches, tools, cards, pages of the log. Null until loaded. */
export function storyCode(): Story | null {
  return story;
}

/** Rejects as an import does. A further call tries again. */
export async function loadStory(): Promise<Story> {
  story ??= await import('./story.ts').catch(importAgain);
  return story;
}

let tries = 0;

/**
 * Most browsers remember that a file could not be fetched, and never fetch it again under the same
 * address, which their error names (https://github.com/whatwg/html/issues/6768): it is fetched under
 * another. A bundler that loads files in its own way asks again by itself.
 */
export async function importAgain(error: unknown): Promise<Story> {
  const address = /: ([\w-]+:\/\/[^\s?#]+)$/.exec(String(error))?.[1];
  if (address === undefined) throw error;
  tries += 1;
  const code: Partial<Story> = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ `${address}?again=${tries}`
  );
  if (!code.reduce) throw error;
  return code as Story;
}

/** Has it there from the beginning: for tests, in which time stands still while files are loaded. */
export function provideStory(code: Story): void {
  story = code;
}
