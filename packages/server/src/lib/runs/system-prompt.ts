import { TextBlock } from '@inlay/protocol';
import * as z from 'zod/mini';
import type { SessionsTable } from '../store/schema.ts';

/**
 * The agent's instructions, or what the token put in their place; then those of the mode, and what
 * the host said of the person.
 */
export function systemPrompt(
  [instructions, mode]: readonly [instructions: string, mode: string],
  session: Pick<SessionsTable, 'override_system' | 'system_message'>,
): string {
  const blocks =
    session.system_message === null
      ? []
      : z.array(TextBlock).parse(JSON.parse(session.system_message));
  return [session.override_system ?? instructions, mode, ...blocks.map((block) => block.text)]
    .filter((text) => text !== '')
    .join('\n\n');
}
