import { TextBlock } from '@inlay/protocol';
import * as z from 'zod/mini';
import type { SessionsTable } from '../store/schema.ts';

/**
 * The agent's instructions, or the token's override, followed by the instructions of the mode and
 * the host's system message for the session.
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
