import { type LogEvent, type ReadContent, textOf } from '@inlay/protocol';
import type { ModelContent, ModelMessage, ModelToolCall } from '../models/model.ts';
import { type Call, callsOf } from './calls.ts';

/** Finds what an attachment holds, for the model; null where it is gone. */
export type LoadAttachment = (fileId: string) => Promise<ModelContent | null>;

/** Bytes of attachments in one request. Every request carries them all, so something must bound them. */
const attachmentRoom = 33_554_432;

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
  const attachments = await loadNewest(log, loadAttachment);
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
        const content = toContent(event.content, attachments);
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

type Block = ReadContent[number];

/** Loads what was attached, the newest first, as far as there is room for it. */
async function loadNewest(
  log: readonly LogEvent[],
  loadAttachment: LoadAttachment,
): Promise<ReadonlyMap<Block, ModelContent>> {
  const loaded = new Map<Block, ModelContent>();
  let room = attachmentRoom;
  for (const event of log.toReversed()) {
    if (event.type !== 'user.message') continue;
    for (const block of event.content.toReversed()) {
      const fileId = fileIdOf(block);
      if (fileId === null) continue;
      if (room <= 0) return loaded;
      const content = (await loadAttachment(fileId)) ?? note('[An attachment that is gone.]');
      room -= content.type === 'text' ? content.text.length : content.bytes.byteLength;
      if (room >= 0) loaded.set(block, content);
    }
  }
  return loaded;
}

function toContent(
  content: ReadContent,
  attachments: ReadonlyMap<Block, ModelContent>,
): ModelContent[] {
  return content.flatMap((block): ModelContent[] => {
    if (block.type === 'text' && typeof block.text === 'string') return [note(block.text)];
    if (fileIdOf(block) === null) return [];
    return [attachments.get(block) ?? note('[An attachment that was left out: too much at once.]')];
  });
}

function note(text: string): ModelContent {
  return { type: 'text', text };
}

/** The file that an image or a document block refers to. */
export function fileIdOf(block: ReadContent[number]): string | null {
  const source = block.source;
  if (typeof source !== 'object' || source === null || !('file_id' in source)) return null;
  return typeof source.file_id === 'string' ? source.file_id : null;
}
