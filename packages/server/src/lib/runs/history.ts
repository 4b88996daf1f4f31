import { type LogEvent, type Mention, type ReadContent, textOf } from '@inlay/protocol';
import { currentBranch } from '@inlay/protocol/branches';
import type { ModelContent, ModelMessage, ModelToolCall } from '../agent-models/model.ts';
import { fileIdOf } from '../events/file-ids.ts';
import { type BuiltInTool, showCard, suggestReplies } from './built-in-tools.ts';
import type { ProviderMessages } from './provider-messages.ts';
import { toolCallsOf } from './tool-calls.ts';

/** Loads an attachment for the model; null if the file was deleted. */
export type LoadAttachment = (fileId: string) => Promise<ModelContent | null>;

/** Maximum bytes of attachments in one request, because each request contains all of them again. */
export const maximumAttachmentBytes = 33_554_432;

/** The agent's text and calls in response to one model request. */
interface Turn {
  /** Id of the `span.model_request_start`. */
  readonly requestId?: string;
  text: string;
  readonly calls: ModelToolCall[];
}

/** The result of a call, for the model. */
interface CallResult {
  readonly result: string;
  readonly isError: boolean;
}

/**
 * Converts the current branch of a log to messages in the order that models expect. Each call is
 * followed by its result. A user message that was sent during an agent message is placed after the
 * agent message, because the model had not seen it yet.
 *
 * @param providerMessages The messages that the model of the request sent.
 */
export async function toModelMessages(
  log: readonly LogEvent[],
  loadAttachment: LoadAttachment,
  providerMessages: ProviderMessages = new Map(),
): Promise<ModelMessage[]> {
  const branch = currentBranch(log);
  const results = new Map<string, CallResult>(toolCallsOf(log).map((call) => [call.id, call]));
  const attachments = await loadNewestAttachments(branch, loadAttachment);
  const messages: ModelMessage[] = [];
  let turn: Turn | null = null;
  let queuedMessages: ModelMessage[] = [];

  const closeTurn = () => {
    if (turn && (turn.text !== '' || turn.calls.length > 0)) {
      messages.push(agentMessageOf(turn, providerMessages));
      for (const { id } of turn.calls) messages.push(resultOf(results.get(id), id));
    }
    turn = null;
    for (const message of queuedMessages) messages.push(message);
    queuedMessages = [];
  };

  const addUserMessage = (content: ModelContent[]) => {
    (turn ? queuedMessages : messages).push({ role: 'user', content });
  };
  const addCall = (toolCall: ModelToolCall, result?: CallResult) => {
    turn ??= { text: '', calls: [] };
    turn.calls.push(toolCall);
    if (result) results.set(toolCall.id, result);
  };

  for (const event of branch) {
    switch (event.type) {
      case 'span.model_request_start':
        closeTurn();
        turn = { requestId: event.id, text: '', calls: [] };
        break;
      case 'session.status_idle':
        closeTurn();
        break;
      case 'user.message':
        addUserMessage([
          ...toContent(event.content, attachments),
          ...describeMentions(event.mentions ?? []),
        ]);
        break;
      case 'user.card_action':
        addUserMessage([textContent(cardAnswer(event, branch))]);
        break;
      case 'agent.message':
        turn ??= { text: '', calls: [] };
        turn.text = joinTexts(turn.text, textOf(event.content));
        break;
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
        addCall({ id: event.id, name: event.name, input: event.input });
        break;
      case 'agent.card':
        // The model got the text of a tool that returned a card. The first event is the welcome card,
        // which the model did not show: some providers reject a history that starts with a call.
        if (event.tool_use_id == null && event !== log[0])
          addCall(...builtInCall(event.id, showCard, event.card));
        break;
      case 'agent.suggestions': {
        const prompts = event.prompts.map(({ label }) => label);
        addCall(...builtInCall(event.id, suggestReplies, { prompts }));
        break;
      }
    }
  }
  closeTurn();
  return messages;
}

function agentMessageOf(
  { requestId, text, calls }: Turn,
  providerMessages: ProviderMessages,
): ModelMessage {
  const sent = providerMessages.get(requestId ?? '');
  const isSame =
    sent?.callIds.length === calls.length && calls.every(({ id }, at) => id === sent.callIds[at]);
  return {
    role: 'assistant',
    text,
    toolCalls: calls,
    ...(isSame && { providerMessage: sent.message }),
  };
}

/**
 * Joins two texts with a blank line. Appending each text to one string takes linear time in total;
 * joining an array again for each text would take quadratic time.
 */
function joinTexts(before: string, text: string): string {
  return before !== '' && text !== '' ? `${before}\n\n${text}` : before + text;
}

/**
 * Reconstructs a call of a built-in tool from the event that the call produced, because the log does
 * not contain the call.
 */
function builtInCall(
  id: string,
  { name, result }: BuiltInTool,
  input: Record<string, unknown>,
): [ModelToolCall, CallResult] {
  return [
    { id, name, input },
    { result, isError: false },
  ];
}

function cardAnswer(
  { card_id, action, values = {} }: LogEvent<'user.card_action'>,
  branch: readonly LogEvent[],
): string {
  const card = branch.find(
    (event): event is LogEvent<'agent.card'> => event.type === 'agent.card' && event.id === card_id,
  );
  const title = card?.card.title;
  const name = title ? ` ${JSON.stringify(title)}` : '';
  // The model did not show the welcome card, so it gets the questions with the answer.
  const welcome = card && card === branch[0] ? { card: card.card } : {};
  return `[Answer to the card${name}]\n${JSON.stringify({ action, values, ...welcome })}`;
}

function describeMentions(mentions: readonly Mention[]): ModelContent[] {
  if (mentions.length === 0) return [];
  const lines = mentions.map(
    ({ id, label }) => `- ${JSON.stringify(label)}, id ${JSON.stringify(id)}`,
  );
  return [textContent(`[Mentioned with @ in this message:\n${lines.join('\n')}]`)];
}

function resultOf(call: CallResult | undefined, toolCallId: string): ModelMessage {
  return {
    role: 'tool',
    toolCallId,
    text: call?.result || 'No answer.',
    isError: call?.isError ?? true,
  };
}

type Block = ReadContent[number];

/** Loads attachments, newest first, up to `maximumAttachmentBytes`. */
async function loadNewestAttachments(
  log: readonly LogEvent[],
  loadAttachment: LoadAttachment,
): Promise<ReadonlyMap<Block, ModelContent>> {
  const loaded = new Map<Block, ModelContent>();
  let remainingBytes = maximumAttachmentBytes;
  for (const event of log.toReversed()) {
    if (event.type !== 'user.message') continue;
    for (const block of event.content.toReversed()) {
      const fileId = fileIdOf(block);
      if (fileId === null) continue;
      if (remainingBytes <= 0) return loaded;
      const content =
        (await loadAttachment(fileId)) ?? textContent('[An attachment that is gone.]');
      remainingBytes -=
        content.type === 'text' ? Buffer.byteLength(content.text) : content.bytes.byteLength;
      if (remainingBytes >= 0) loaded.set(block, content);
    }
  }
  return loaded;
}

function toContent(
  content: ReadContent,
  attachments: ReadonlyMap<Block, ModelContent>,
): ModelContent[] {
  return content.flatMap((block): ModelContent[] => {
    if (block.type === 'text' && typeof block.text === 'string') return [textContent(block.text)];
    if (fileIdOf(block) === null) return [];
    return [
      attachments.get(block) ?? textContent('[An attachment that was left out: too much at once.]'),
    ];
  });
}

function textContent(text: string): ModelContent {
  return { type: 'text', text };
}
