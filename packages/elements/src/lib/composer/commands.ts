import type { Mention } from '@inlay/protocol';

/** Something that the page offers behind a `/` at the beginning of a message. */
export interface Command {
  /** What is typed behind the `/`: letters, digits and hyphens. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly description?: string;
  /** What is sent in its place. `{input}` stands for what the person typed behind the name. */
  readonly prompt?: string;
  /** Whether something has to be typed behind the name. Where not, choosing it does it at once. */
  readonly takesInput?: boolean;
  /** What the page does in its place. It gets what was typed behind the name. */
  readonly run?: (input: string) => unknown;
}

/** Something of the page's own that a message can mention with `@`. */
export interface MentionOption extends Mention {
  readonly description?: string;
}

/** Finds what can be mentioned by what was typed behind the `@`, which may be nothing. */
export type FindMentions = (
  query: string,
  options: { readonly signal: AbortSignal },
) => readonly MentionOption[] | Promise<readonly MentionOption[]>;

/** The command that a text calls, with what stands behind its name; null for none. */
export function commandIn(
  text: string,
  commands: readonly Command[],
): { readonly command: Command; readonly input: string } | null {
  const [, name, input = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  const command = commands.find((each) => each.name === name);
  return command ? { command, input: input.trim() } : null;
}
