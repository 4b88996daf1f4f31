import type { Mention } from '@inlay/protocol';

/** A slash command of the page, offered after a `/` at the start of a message. */
export interface Command {
  /** Name typed after the `/`: letters, digits and hyphens. */
  readonly name: string;
  /** Short description, shown in the list of commands. */
  readonly description?: string;
  /** Message that is sent in place of the command. `{input}` is replaced by the text after the name. */
  readonly prompt?: string;
  /** Whether the command needs text after its name. Otherwise, it runs as soon as the user chooses it. */
  readonly takesInput?: boolean;
  /** Function that runs instead of sending a message. It receives the text after the name. */
  readonly run?: (input: string) => unknown;
}

/** An item of the page that a message can mention with `@`. */
export interface MentionOption extends Mention {
  readonly description?: string;
}

/** Finds the items to mention by the text after the `@`, which may be empty. */
export type FindMentions = (
  query: string,
  options: { readonly signal: AbortSignal },
) => readonly MentionOption[] | Promise<readonly MentionOption[]>;

/** Parses the command that a text starts with, and the text after its name; null for none. */
export function commandIn(
  text: string,
  commands: readonly Command[],
): { readonly command: Command; readonly input: string } | null {
  const [, name, input = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  const command = commands.find((each) => each.name === name);
  return command ? { command, input: input.trim() } : null;
}

/** Returns the mentions that a text contains. */
export function mentionsIn(text: string, mentions: readonly Mention[]): Mention[] {
  let rest = text;
  // Longest first, because a label can be the prefix of another one.
  const sorted = [...mentions].sort((a, b) => b.label.length - a.label.length);
  return sorted.filter(({ label }) => {
    const isMentioned = rest.includes(`@${label}`);
    rest = rest.replaceAll(`@${label}`, '');
    return isMentioned;
  });
}
