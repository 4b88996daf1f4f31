import { ApiError } from './api-error.ts';
import { checkMessages } from './check-messages.ts';
import { type Fields, isFields, refuse } from './fields.ts';

/** The fields of the body of `POST /v1/chat/completions` that this server reads. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: unknown;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly [field: string]: unknown;
}

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly Record<string, unknown>[] | null;
  readonly tool_calls?: readonly { readonly id: string; readonly [field: string]: unknown }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly [field: string]: unknown };
}

/**
 * Parses and validates a request like OpenAI.
 *
 * @throws {ApiError} Names the parameter.
 */
export function readChatRequest(text: string): ChatRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(400, 'The body is not JSON. Send a JSON object.');
  }
  if (!isFields(body)) throw new ApiError(400, 'The body is not a JSON object.');
  checkFields(body);
  return body;
}

function checkFields(body: Fields): asserts body is ChatRequest {
  if (typeof body.model !== 'string' || body.model === '') {
    refuse('model', 'is missing; send the name of a model');
  }
  checkMessages(body.messages);
  checkTools(body.tools);

  const { stream, stream_options: streamOptions } = body;
  if (stream != null && typeof stream !== 'boolean') refuse('stream', 'must be true or false');
  if (streamOptions != null) {
    if (!isFields(streamOptions)) refuse('stream_options', 'must be an object');
    if (stream !== true) refuse('stream_options', 'is only allowed together with stream: true');
  }
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const value = body[name];
    if (value != null && !(Number.isInteger(value) && Number(value) > 0)) {
      refuse(name, 'must be a whole number above 0');
    }
  }
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools) || tools.length === 0) {
    refuse('tools', 'must have at least one tool; omit it if there is none');
  }
  for (const [index, tool] of tools.entries()) {
    const definition: unknown = isFields(tool) ? tool.function : undefined;
    if (!isFields(tool) || tool.type !== 'function' || !isFields(definition)) {
      refuse(`tools[${index}]`, 'must have type "function" and a function');
    }
    const name = definition.name;
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      refuse(`tools[${index}].function.name`, 'must match ^[a-zA-Z0-9_-]{1,64}$');
    }
    const parameters = definition.parameters;
    if (parameters !== undefined && !isFields(parameters)) {
      refuse(`tools[${index}].function.parameters`, 'must be a JSON Schema object');
    }
  }
}
