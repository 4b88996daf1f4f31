import type { Agent } from '../agents/agent.ts';
import type { Config } from '../config/config.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { ToolCall } from '../runs/tool-calls.ts';
import type { SessionsTable } from '../store/schema.ts';
import { names } from './attributes.ts';
import { withSpan } from './traces.ts';

/** Records a span of a run, from the start of its work in this process to the end. */
export function traceRun(
  session: Pick<SessionsTable, 'id' | 'agent_id' | 'agent_version'>,
  agent: Agent | null,
  work: () => Promise<void>,
): Promise<void> {
  const name = agent === null ? 'invoke_agent' : `invoke_agent ${agent.name}`;
  const attributes = {
    [names.operation]: 'invoke_agent',
    [names.conversation]: session.id,
    [names.agentId]: session.agent_id,
    [names.agentVersion]: session.agent_version,
    ...(agent && { [names.agentName]: agent.name, [names.provider]: agent.model.provider }),
  };
  return withSpan(name, { attributes }, work);
}

/** Records a span of a tool call. */
export function traceTool<Result extends readonly EventDraft[] | null>(
  call: Pick<ToolCall, 'id' | 'name' | 'input'>,
  sessionId: string,
  config: Pick<Config, 'telemetry'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const attributes = {
    [names.operation]: 'execute_tool',
    [names.conversation]: sessionId,
    [names.toolName]: call.name,
    [names.toolType]: 'function',
    [names.toolCallId]: call.id,
  };
  return withSpan(`execute_tool ${call.name}`, { attributes }, async (span) => {
    const events = await work();
    const result = events?.find((event) => event.type === 'agent.tool_result');
    if (result?.is_error) span?.fail('tool_error');
    if (span?.isRecording && config.telemetry.content) {
      span.set({
        [names.toolArguments]: JSON.stringify(call.input),
        [names.toolResult]: JSON.stringify(result?.content ?? null),
      });
    }
    return events;
  });
}
