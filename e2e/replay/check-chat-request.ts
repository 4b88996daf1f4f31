import { z } from 'zod';

const MessageContent = z.union([z.string(), z.array(z.looseObject({ type: z.string() })).min(1)]);
const ToolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: MessageContent }),
  z.looseObject({
    role: z.literal('assistant'),
    content: MessageContent.nullish(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), content: MessageContent, tool_call_id: z.string() }),
]);
const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string().regex(/^[\w-]{1,64}$/) }),
});

/** Body of `POST /v1/chat/completions`, with the rules of OpenAI. */
const ChatBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).min(1).optional(),
  stream: z.literal(true),
});

export interface ChatRequest {
  readonly messages: readonly { role: string; tool_calls?: unknown; tool_call_id?: unknown }[];
}

/** Describes why OpenAI would reject a request; null if it would accept it. */
export function checkChatRequest(body: unknown): string | null {
  const { data, error } = ChatBody.safeParse(body);
  if (!data) return z.prettifyError(error);
  let open: string[] = [];
  for (const message of data.messages) {
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      if (!open.includes(id)) return `The result ${id} must follow the message with its call.`;
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) break;
    if (message.role === 'assistant') open = message.tool_calls?.map(({ id }) => id) ?? [];
  }
  return open.length > 0 ? `There is no result for ${open.join(', ')}.` : null;
}
