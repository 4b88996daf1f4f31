import type OpenAI from 'openai';
import type { ModelContent, ModelMessage, ModelRequest } from '../model.ts';

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
export type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** Converts a request to the format of OpenAI's chat completions. */
export function toChatRequest(
  request: ModelRequest,
  options: {
    model: string;
    maxOutputTokens?: number | undefined;
  },
): ChatRequest {
  const system: ChatMessage[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  return {
    model: options.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [...system, ...request.messages.map(toMessage)],
    // Omitted if empty, because some providers reject an empty list.
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({
        type: 'function' as const,
        function: {
          name: tool.name,
          description: tool.description,
          parameters: { ...tool.inputSchema },
        },
      })),
    }),
    ...(options.maxOutputTokens !== undefined && { max_tokens: options.maxOutputTokens }),
  };
}

function toMessage(message: ModelMessage): ChatMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: toContent(message.content) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text === '' ? null : message.text,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: 'function' as const,
            function: { name: call.name, arguments: JSON.stringify(call.input) },
          })),
        }),
      };
  }
}

/** Joins parts that are all text, because not every provider supports a list of parts. */
function toContent(content: readonly ModelContent[]): string | ChatPart[] {
  if (content.every((part) => part.type === 'text')) {
    return content.map((part) => part.text).join('\n\n');
  }
  return content.map((part): ChatPart => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const base64 = Buffer.from(part.bytes).toString('base64');
    return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${base64}` } };
  });
}
