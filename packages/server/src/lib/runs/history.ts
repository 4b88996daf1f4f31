import { type LogEvent, type ReadContent, textOf } from '@inlay/protocol';
import type { ModelContent, ModelMessage, ModelToolCall } from '../models/model.ts';
import { type Call, callsOf } from './calls.ts';

/** Finds what an attachment holds, for the model; null where it is gone. */
export type LoadAttachment = (fileId: string) => Promise<ModelContent | null>;

interface Turn {
  text: string;
  readonly calls: ModelToolCall[];
}

/**
 * What a log says, in the order that models want: each call followed by its result, and what the
 * person said in the middle of an answer after that answer, because it was not yet known then.
 */
export async function toModelMessages(
  log: readonly LogEvent[],
  loadAttachment: LoadAttachment,
): Promise<ModelMessage[]> {
  const calls = new Map(callsOf(log).map((call) => [call.id, call]));
  const messages: ModelMessage[] = [];
  let turn: Turn | null = null;
  let held: ModelMessage[] = [];

  const closeTurn = () => {
    if (turn && (turn.text !== '' || turn.calls.length > 0)) {
      messages.push({ role: 'assistant', text: turn.text, toolCalls: turn.calls });
      for (const { id } of turn.calls) messages.push(resultOf(calls.get(id), id));
    }
    turn = null;
    messages.push(...held);
    held = [];
  };

  for (const event of log) {
    switch (event.type) {
      case 'span.model_request_start':
        closeTurn();
        turn = { text: '', calls: [] };
        break;
      case 'session.status_idle':
        closeTurn();
        break;
      case 'user.message': {
        const content = await toContent(event.content, loadAttachment);
        (turn ? held : messages).push({ role: 'user', content });
        break;
      }
      case 'agent.message':
        turn ??= { text: '', calls: [] };
        turn.text = [turn.text, textOf(event.content)].filter(Boolean).join('\n\n');
        break;
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
        turn ??= { text: '', calls: [] };
        turn.calls.push({ id: event.id, name: event.name, input: event.input });
        break;
    }
  }
  closeTurn();
  return messages;
}

function resultOf(call: Call | undefined, toolCallId: string): ModelMessage {
  return {
    role: 'tool',
    toolCallId,
    text: call?.result || 'No answer.',
    isError: call?.isError ?? true,
  };
}

async function toContent(
  content: ReadContent,
  loadAttachment: LoadAttachment,
): Promise<ModelContent[]> {
  const parts: ModelContent[] = [];
  for (const block of content) {
    const fileId = fileIdOf(block);
    if (block.type === 'text' && typeof block.text === 'string') {
      parts.push({ type: 'text', text: block.text });
    } else if (fileId !== null) {
      parts.push(
        (await loadAttachment(fileId)) ?? { type: 'text', text: '[An attachment that is gone.]' },
      );
    }
  }
  return parts;
}

/** The file that an image or a document block refers to. */
export function fileIdOf(block: ReadContent[number]): string | null {
  const source = block.source;
  if (typeof source !== 'object' || source === null || !('file_id' in source)) return null;
  return typeof source.file_id === 'string' ? source.file_id : null;
}
