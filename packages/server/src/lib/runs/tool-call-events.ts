import type { FieldError } from '@inlay/protocol';
import type { ModelEvent } from '../agent-models/model.ts';
import type { ToolConfig } from '../config/tools.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { BuiltInTool } from './built-in-tools.ts';
import { explainInvalidInput, maximumErrors } from './check-tool-input.ts';
import { inputHash } from './input-hash.ts';
import type { TimeLimit } from './time-limit.ts';
import { toolResult } from './tool-runner.ts';

/** Maximum characters of a tool's explanation for the user. */
const maximumExplanationLength = 1000;

export interface ToolCallContext {
  readonly newEventId: () => string;
  readonly tools: readonly ToolConfig[];
  readonly builtIns: readonly BuiltInTool[];
  readonly log: Logger;
  /** For validating the arguments of all calls of the model response. */
  readonly checkTime: TimeLimit;
}

/** The events to append for a tool call of the model. */
export function toolCallEvents(
  event: Extract<ModelEvent, { type: 'tool_call' }>,
  context: ToolCallContext,
): EventDraft[] {
  const { name } = event;
  if (event.input === null) {
    return failedCall(
      name,
      {},
      'The arguments were not a JSON object. Call again with valid ones.',
      context,
    );
  }
  const input = { ...event.input };
  const builtIn = context.builtIns.find((candidate) => candidate.name === name);
  if (builtIn) {
    const outcome = builtIn.call(input);
    if ('type' in outcome) return [{ ...outcome, id: context.newEventId() }];
    return failedCall(name, input, explainErrors(outcome), context);
  }
  const tool = context.tools.find((candidate) => candidate.name === name);
  const inputErrors =
    tool &&
    explainInvalidInput(input, tool.input_schema, context.checkTime, (reason) =>
      context.log.warn('arguments of a tool call could not be checked', { tool: name, reason }),
    );
  if (inputErrors) return failedCall(name, input, inputErrors, context);
  const explanation = tool && explain(tool, input, context.log);
  const undeclared = tool?.permission === 'ask' ? undeclaredArguments(tool, input) : [];
  return [
    {
      type: tool?.type === 'custom' ? 'agent.custom_tool_use' : 'agent.tool_use',
      id: context.newEventId(),
      name,
      input,
      evaluated_permission: tool?.permission ?? 'allow',
      input_hash: inputHash({ name, input }),
      ...(explanation && { explanation }),
      ...(undeclared.length > 0 && { undeclared_arguments: undeclared }),
    },
  ];
}

/**
 * The arguments that a schema with `properties` does not declare, but allows. A tool without a schema of its
 * own has empty `properties`, and may get any arguments.
 */
function undeclaredArguments({ input_schema }: ToolConfig, input: object): string[] {
  const { properties } = input_schema;
  if (typeof properties !== 'object' || properties === null) return [];
  if (Object.keys(properties).length === 0) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(properties, name));
}

function failedCall(
  name: string,
  input: Record<string, unknown>,
  text: string,
  { newEventId }: ToolCallContext,
): EventDraft[] {
  const id = newEventId();
  return [
    {
      type: 'agent.tool_use',
      id,
      name,
      input,
      evaluated_permission: 'allow',
      input_hash: inputHash({ name, input }),
    },
    toolResult(id, text, true),
  ];
}

/** Describes the errors of a built-in tool's input to the model. */
function explainErrors(errors: readonly FieldError[]): string {
  const lines = errors
    .slice(0, maximumErrors)
    .map(({ pointer, message }) => `${pointer || '/'} ${message}`);
  return `Nothing was shown. Call again with these errors corrected:\n${lines.join('\n')}`;
}

/**
 * Explains a call to the user who confirms it. Returns null if the tool has no `explain`, or if
 * `explain` fails; the user then sees the tool's name.
 */
function explain(tool: ToolConfig, input: Record<string, unknown>, log: Logger): string | null {
  if (!tool.explain) return null;
  try {
    // `explain` gets a copy, so that it cannot change the input that is hashed and used.
    const text: unknown = tool.explain(structuredClone(input));
    if (typeof text === 'string') return text.trim().slice(0, maximumExplanationLength) || null;
    log.warn('a tool’s explanation is not a string', { tool: tool.name });
  } catch (error) {
    log.warn('a tool’s explanation failed', { tool: tool.name, ...describeError(error) });
  }
  return null;
}
