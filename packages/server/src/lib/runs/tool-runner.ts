import type { Config } from '../config/config.ts';
import type { ToolConfig, ToolContext } from '../config/tools.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { describeError, type Logger } from '../log/logger.ts';
import { cutToBytes } from '../models/cut-to-bytes.ts';
import type { Clock } from '../ports/clock.ts';
import type { Call } from './calls.ts';

/** Milliseconds that a tool of the server may take. */
export const toolTimeout = 60_000;

/**
 * Runs one call. Null where `context.signal` was aborted first: then there is no result to tell.
 * A call is run again where the process died in the middle of it; a tool that must not act twice
 * recognises the call by `context.callId`.
 */
export async function runTool(
  call: Pick<Call, 'id' | 'name' | 'input'>,
  tools: readonly ToolConfig[],
  context: ToolContext,
  deps: { clock: Clock; log: Logger; config: Pick<Config, 'limits'> },
): Promise<EventDraft<'agent.tool_result'> | null> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool?.type !== 'function') return toolResult(call.id, `There is no tool ${call.name}.`, true);

  const { tool_result_bytes } = deps.config.limits.run;
  const ended = new AbortController();
  const outcome = await Promise.race([
    // A function that throws before its first await must not take the race down with it.
    Promise.resolve()
      // A copy: what was confirmed, and what the agent is told that it called, stays as it is.
      .then(() => tool.run(structuredClone(call.input), context))
      .then(
        (text) => toolResult(call.id, cutToBytes(String(text), tool_result_bytes), false),
        (error: unknown) => {
          deps.log.warn('tool failed', { tool: call.name, ...describeError(error) });
          return toolResult(call.id, cutToBytes(messageOf(error), tool_result_bytes), true);
        },
      ),
    timeout(deps.clock, ended.signal).then(() =>
      toolResult(call.id, `The tool gave no answer within ${toolTimeout / 1000} seconds.`, true),
    ),
    aborted(context.signal, ended.signal),
  ]);
  ended.abort();
  return outcome;
}

export function toolResult(
  callId: string,
  text: string,
  isError: boolean,
): EventDraft<'agent.tool_result'> {
  return {
    type: 'agent.tool_result',
    tool_use_id: callId,
    content: [{ type: 'text', text }],
    is_error: isError,
  };
}

/** What a tool throws is written for the agent; it is the author's, so it may be told. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message || 'The tool failed.';
}

function timeout(clock: Clock, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(toolTimeout, resolve);
    ended.addEventListener('abort', cancel, { once: true });
  });
}

function aborted(signal: AbortSignal, ended: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true, signal: ended });
  });
}
