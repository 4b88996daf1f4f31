export type Story = typeof import('./story.ts');

/** Kept for all conversations of the page, once it is there. */
let story: Story | null = null;

/** What only some conversations need: branches, tools, cards, pages of the log. Null until loaded. */
export function storyCode(): Story | null {
  return story;
}

/** Rejects as an import does. */
export async function loadStory(): Promise<Story> {
  story ??= await import('./story.ts');
  return story;
}

/** Has it there from the beginning: for tests, in which time stands still while files are loaded. */
export function provideStory(code: Story): void {
  story = code;
}
