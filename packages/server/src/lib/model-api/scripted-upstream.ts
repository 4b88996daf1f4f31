import type { ChatCompletionRequest } from '@inlay/protocol';
import { createModel } from '../agent-models/create-model.ts';
import {
  type ModelContent,
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
} from '../agent-models/model.ts';
import type { ModelProvider } from '../config/models.ts';
import { fieldsOf } from '../json.ts';
import { ApiError } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import { UpstreamFailure, type UpstreamResponse } from '../upstreams/forward.ts';

type ScriptedProvider = Extract<ModelProvider, { provider: 'scripted' }>;

/**
 * Responds to a chat completion with the scripted model, in the format of a provider with OpenAI's
 * API. Lets the catalogue work without a real provider.
 *
 * @throws ApiError `INPUT_NOT_REPRESENTABLE` for input that the scripted model does not support.
 */
export async function scriptedUpstream(
  provider: ScriptedProvider,
  body: ChatCompletionRequest,
  services: Services,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const request = toModelRequest(body);
  const events = createModel(provider, services).run(request, signal)[Symbol.asyncIterator]();
  const id = newId(services.random, 'chatcmpl-');
  const created = Math.floor(services.clock.now() / 1000);
  const base = { id, created, model: body.model };
  const newCallId = () => newId(services.random, 'call_');
  try {
    // Waits for the first event: if the model fails earlier, the status is 500.
    const first = await events.next();
    const parts = toParts(first, events, newCallId);
    return respond(
      200,
      'text/event-stream',
      body.stream ? toChunks(parts, base) : toCompletion(parts, base),
    );
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return respond(500, 'application/json', [{ error: { message: error.message } }].values());
  }
}

function respond(
  status: number,
  type: string,
  parts: Iterable<object | string> | AsyncIterable<object | string>,
): UpstreamResponse {
  const encoder = new TextEncoder();
  const chunks = (async function* () {
    try {
      for await (const part of parts) {
        yield encoder.encode(typeof part === 'string' ? part : JSON.stringify(part));
      }
    } catch (error) {
      throw error instanceof ModelError ? new UpstreamFailure('network', error.message) : error;
    }
  })();
  const close = () => void chunks.return();
  return { status, headers: new Headers({ 'content-type': type }), chunks, close };
}

/** A part of the response with the members of a stream's chunk. */
interface Part {
  delta: {
    role?: 'assistant';
    content?: string;
    reasoning_content?: string;
    tool_calls?: object[];
  };
  finish: string | null;
  usage: object | null;
}

async function* toParts(
  first: IteratorResult<ModelEvent>,
  events: AsyncIterator<ModelEvent>,
  newCallId: () => string,
): AsyncGenerator<Part> {
  let calls = 0;
  let usage: object | null = null;
  yield { delta: { role: 'assistant', content: '' }, finish: null, usage };
  for (let result = first; !result.done; result = await events.next()) {
    const event = result.value;
    const part = (delta: Part['delta']): Part => ({ delta, finish: null, usage: null });
    if (event.type === 'text') yield part({ content: event.text });
    if (event.type === 'thinking') yield part({ reasoning_content: event.text });
    if (event.type === 'tool_call') {
      const called = { name: event.name, arguments: JSON.stringify(event.input ?? {}) };
      const call = { index: calls, id: newCallId(), type: 'function', function: called };
      yield part({ tool_calls: [call] });
      calls += 1;
    }
    if (event.type === 'usage') {
      const { inputTokens, outputTokens } = event.usage;
      usage = {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      };
    }
    if (event.type === 'finish') {
      yield { delta: {}, finish: calls > 0 ? 'tool_calls' : 'stop', usage };
    }
  }
}

async function* toChunks(parts: AsyncIterable<Part>, base: object): AsyncGenerator<string> {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...fields })}\n\n`;
  for await (const { delta, finish, usage } of parts) {
    yield chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
    if (usage) yield chunk({ choices: [], usage });
  }
  yield 'data: [DONE]\n\n';
}

async function* toCompletion(parts: AsyncIterable<Part>, base: object): AsyncGenerator<object> {
  let content = '';
  let thinking = '';
  const calls: object[] = [];
  let last: Part | undefined;
  for await (const part of parts) {
    content += part.delta.content ?? '';
    thinking += part.delta.reasoning_content ?? '';
    calls.push(...(part.delta.tool_calls ?? []));
    last = part;
  }
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: last?.finish ?? null };
  yield { ...base, object: 'chat.completion', choices: [choice], usage: last?.usage ?? null };
}

/** Converts the body to a request of the server's model interface. */
function toModelRequest({ messages, tools, n }: ChatCompletionRequest): ModelRequest {
  if (n && n > 1) throw notRepresentable('n', 'responds with one choice');
  const system: string[] = [];
  const converted: ModelMessage[] = [];
  messages.forEach((message, index) => {
    const content = toContent(message.content, index);
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(text);
        break;
      case 'user':
        converted.push({ role: 'user', content });
        break;
      case 'assistant':
        converted.push({ role: 'assistant', text, toolCalls: toToolCalls(message.tool_calls) });
        break;
      case 'tool':
        converted.push({
          role: 'tool',
          toolCallId: String(message.tool_call_id ?? ''),
          text,
          isError: false,
        });
        break;
      default:
        throw notRepresentable(`messages.${index}.role`, `has no role \`${message.role}\``);
    }
  });
  return {
    system: system.join('\n\n'),
    messages: converted,
    tools: (tools ?? []).map((tool) => {
      const { name, description, parameters } = fieldsOf(tool.function);
      return {
        name: String(name ?? ''),
        description: String(description ?? ''),
        inputSchema: fieldsOf(parameters),
      };
    }),
  };
}

function toContent(content: unknown, index: number): ModelContent[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part): ModelContent => {
    const { type, text } = fieldsOf(part);
    if (type === 'text' && typeof text === 'string') return { type: 'text', text };
    throw notRepresentable(`messages.${index}.content`, 'reads text only');
  });
}

function toToolCalls(calls: unknown) {
  return (Array.isArray(calls) ? calls : []).map((call) => {
    const { id, function: called } = fieldsOf(call);
    const { name } = fieldsOf(called);
    return { id: String(id ?? ''), name: String(name ?? ''), input: {} };
  });
}

function notRepresentable(param: string, why: string): ApiError {
  return new ApiError('INPUT_NOT_REPRESENTABLE', `\`${param}\`: the scripted model ${why}.`, {
    param,
  });
}
