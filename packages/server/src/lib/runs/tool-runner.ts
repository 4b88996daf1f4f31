import { truncateToBytes } from '../agent-models/truncate-to-bytes.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { ToolConfig, ToolContext } from '../config/tools.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { ToolCall } from './tool-calls.ts';

/** Maximum duration of a server tool in milliseconds. */
const toolTimeout = 60_000;

/**
 * Runs a server tool. Returns null if `context.signal` is aborted before the tool returns. If the
 * process dies during a call, another process runs the tool again; a tool that must not act twice
 * recognizes the call by `context.callId`.
 */
export async function runTool(
  call: Pick<ToolCall, 'id' | 'name' | 'input'>,
  tools: readonly ToolConfig[],
  context: ToolContext,
  deps: { clock: Clock; log: Logger; config: Pick<Config, 'limits'> },
): Promise<EventDraft<'agent.tool_result'> | null> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool?.type !== 'function') return toolResult(call.id, `There is no tool ${call.name}.`, true);

  const { tool_result_bytes } = deps.config.limits.run;
  const ended = new AbortController();
  const outcome = await Promise.race([
    // Turns a synchronous exception into a rejection.
    Promise.resolve()
      // The tool gets a copy, so that it cannot change the input that was confirmed.
      .then(() => tool.run(structuredClone(call.input), context))
      .then(
        (text) => toolResult(call.id, truncateToBytes(String(text), tool_result_bytes), false),
        (error: unknown) => {
          deps.log.warn('tool failed', { tool: call.name, ...describeError(error) });
          return toolResult(call.id, truncateToBytes(messageOf(error), tool_result_bytes), true);
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

/** The text of a tool's exception. The model may see it, because the tool's author wrote it. */
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
