import { truncateToBytes } from '../agent-models/truncate-to-bytes.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Limits } from '../config/limits.ts';
import { ToolResult } from '../config/tool-result.ts';
import type { ToolConfig, ToolContext } from '../config/tools.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { explain, toFieldError } from '../http/validate.ts';
import { describeError, type Logger } from '../log/logger.ts';
import { traceTool } from '../telemetry/trace-run.ts';
import { Citations } from './citations.ts';
import type { ToolCall } from './tool-calls.ts';

/** Maximum duration of a server tool in milliseconds. */
const toolTimeout = 60_000;

/**
 * Runs a server tool. Returns the events of its result, or null if `context.signal` is aborted before
 * the tool returns. If the process dies during a call, another process runs the tool again; a tool that
 * must not act twice recognizes the call by `context.callId`.
 */
export async function runTool(
  call: Pick<ToolCall, 'id' | 'name' | 'input'>,
  tools: readonly ToolConfig[],
  context: ToolContext,
  deps: { clock: Clock; log: Logger; config: Pick<Config, 'limits' | 'telemetry'> },
): Promise<EventDraft[] | null> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool?.type !== 'function') {
    return [toolResult(call.id, `There is no tool ${call.name}.`, true)];
  }
  const limits = deps.config.limits.run;
  const failure = (text: string) => [
    toolResult(call.id, truncateToBytes(text, limits.tool_result_bytes), true),
  ];
  const ended = new AbortController();
  const race = () =>
    Promise.race([
      // Turns a synchronous exception into a rejection.
      Promise.resolve()
        // The tool gets a copy, so that it cannot change the input that was confirmed.
        .then(() => tool.run(structuredClone(call.input), context))
        .then((result) => resultEvents(call, result, limits))
        .catch((error: unknown) => {
          deps.log.warn('tool failed', { tool: call.name, ...describeError(error) });
          return failure(messageOf(error));
        }),
      timeout(deps.clock, ended.signal).then(() =>
        failure(`The tool gave no answer within ${toolTimeout / 1000} seconds.`),
      ),
      aborted(context.signal, ended.signal),
    ]);
  const outcome = await traceTool(call, context.sessionId, deps.config, race);
  ended.abort();
  return outcome;
}

/**
 * The events of a tool's result.
 *
 * @throws If the result is invalid.
 */
function resultEvents(
  { id, name }: Pick<ToolCall, 'id' | 'name'>,
  result: unknown,
  limits: Limits['run'],
): EventDraft[] {
  const isText = typeof result !== 'object' || result === null;
  const parsed = ToolResult.safeParse(isText ? { text: String(result) } : result, {
    error: explain,
  });
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => toFieldError(issue));
    const lines = errors.map(({ pointer, message }) => `${pointer || '/'} ${message}`);
    throw new Error(`The result of ${name} is invalid: ${lines.join('; ')}`);
  }
  const { text, citations = [], card, is_error = false } = parsed.data;
  const bounded = new Citations(limits);
  for (const { title, url = null, snippet = null } of citations) {
    bounded.add({ type: 'citation', title, url, snippet, endIndex: null });
  }
  const cited = bounded.take('');
  const event = toolResult(id, truncateToBytes(text, limits.tool_result_bytes), is_error);
  const content = event.content?.map((block) => ({ ...block, citations: cited }));
  return [
    cited.length > 0 ? { ...event, content } : event,
    ...(card ? [{ type: 'agent.card' as const, card, tool_use_id: id }] : []),
  ];
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
