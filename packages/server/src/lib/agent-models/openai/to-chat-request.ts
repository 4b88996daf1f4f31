import { createHash } from 'node:crypto';
import { fieldsOf } from '../../json.ts';
import type { ModelContent, ModelMessage, ModelRequest } from '../model.ts';
import type { Dialect } from './dialect.ts';
import { repairOrder } from './repair-order.ts';

type Members = Readonly<Record<string, unknown>>;
type ToolCall = Members & { readonly id: string };
type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

/** Value that Gemini accepts as the signature of a call that another model made. */
const placeholderSignature = 'skip_thought_signature_validator';

const idAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Length that Mistral demands: `^[a-zA-Z0-9]{9}$`. */
const idLength = 9;

/** Converts a request to the format of OpenAI's chat completions. */
export function toChatRequest(
  request: ModelRequest,
  options: {
    model: string;
    maxOutputTokens?: number | undefined;
  },
  dialect: Dialect,
): Members {
  const system: Members[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  return {
    model: options.model,
    stream: true,
    ...(dialect.streamOptions && { stream_options: { include_usage: true } }),
    messages: [...system, ...toMessages(request.messages, dialect)],
    // Omitted if empty, because some providers reject an empty list.
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({
        type: 'function',
        function: {
          name: tool.name,
          description: tool.description,
          parameters: { ...tool.inputSchema },
        },
      })),
    }),
    ...(options.maxOutputTokens !== undefined && {
      [dialect.outputLimit]: options.maxOutputTokens,
    }),
  };
}

function toMessages(messages: readonly ModelMessage[], dialect: Dialect): Members[] {
  /** The ids of the last message's calls for the provider, by the ids of their events. */
  let callIds = new Map<string, string>();
  const toMessage = (message: ModelMessage): Members => {
    if (message.role === 'user') return { role: 'user', content: toContent(message.content) };
    if (message.role === 'tool') {
      const id = callIds.get(message.toolCallId) ?? callIdOf(message.toolCallId);
      return { role: 'tool', tool_call_id: id, content: message.text };
    }
    const calls = toToolCalls(message, dialect);
    callIds = new Map(message.toolCalls.map(({ id }, index) => [id, calls[index]?.id ?? id]));
    return toAssistantMessage(message, calls, dialect);
  };
  return repairOrder(messages).map(toMessage);
}

function toAssistantMessage(
  { text, providerMessage = {} }: Assistant,
  calls: ToolCall[],
  dialect: Dialect,
): Members {
  const sent = Object.entries(providerMessage).filter(
    ([name]) => !dialect.refusedMembers.includes(name),
  );
  return {
    ...(dialect.emptyReasoning && { reasoning_content: '' }),
    content: text === '' ? null : text,
    ...Object.fromEntries(sent),
    role: 'assistant',
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** The calls of a message as the provider sent them, or made from their events. */
function toToolCalls({ toolCalls, providerMessage }: Assistant, dialect: Dialect): ToolCall[] {
  const sent = Array.isArray(providerMessage?.tool_calls) ? providerMessage.tool_calls : [];
  const usedIds = new Set<string>();
  return toolCalls.map(({ id: eventId, name, input }, index) => {
    const members = fieldsOf(sent[index]);
    // Results are assigned by id, so an id that is missing or used twice is replaced.
    const isUsable =
      typeof members.id === 'string' && members.id !== '' && !usedIds.has(members.id);
    const id = isUsable ? String(members.id) : callIdOf(eventId);
    usedIds.add(id);
    return {
      // Gemini demands a signature for the first of parallel calls.
      ...(dialect.placeholderSignature &&
        index === 0 && {
          extra_content: { google: { thought_signature: placeholderSignature } },
        }),
      function: { name, arguments: JSON.stringify(input) },
      ...members,
      id,
      type: 'function',
    };
  });
}

/** Joins parts that are all text, because not every provider supports a list of parts. */
function toContent(content: readonly ModelContent[]): string | Members[] {
  if (content.every((part) => part.type === 'text')) {
    return content.map((part) => part.text).join('\n\n');
  }
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const base64 = Buffer.from(part.bytes).toString('base64');
    return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${base64}` } };
  });
}

/**
 * Derives the id of a call for the provider from the id of its event. The same event always has the
 * same id, in all processes.
 */
export function callIdOf(eventId: string): string {
  const hash = createHash('sha256').update(eventId).digest();
  return [...hash.subarray(0, idLength)]
    .map((byte) => idAlphabet[byte % idAlphabet.length])
    .join('');
}
