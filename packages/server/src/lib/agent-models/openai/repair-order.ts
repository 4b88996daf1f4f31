import type { ModelContent, ModelMessage } from '../model.ts';

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

/** Neutral texts for messages that strict endpoints demand. */
const placeholders = {
  user: 'Continue.',
  empty: '(empty message)',
  assistant: 'OK.',
  result: 'No answer.',
};

/**
 * Repairs the order of messages for endpoints with strict rules: the user and the agent alternate, the
 * first and the last message are not the agent's, each call is followed by its result, each result
 * follows its call, and no message is empty. Stopped, failed and empty answers, cards and suggestions
 * leave conversations that break these rules.
 */
export function repairOrder(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = [];
  /** The calls of the last assistant message that have no result yet. */
  let open: string[] = [];
  /** The content of the last user message. */
  let content: ModelContent[] = [];

  const closeCalls = () => {
    for (const toolCallId of open) {
      repaired.push({ role: 'tool', toolCallId, text: placeholders.result, isError: true });
    }
    open = [];
  };

  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.toolCallId)) continue;
      open = open.filter((id) => id !== message.toolCallId);
      repaired.push(message);
      continue;
    }
    closeCalls();
    const last = repaired.at(-1);
    if (message.role === 'user') {
      const added = withoutEmptyText(message.content);
      // Appended in place: copying for each message would take quadratic time.
      if (last?.role === 'user') for (const part of added) content.push(part);
      else {
        if (last?.role === 'tool') {
          repaired.push({ role: 'assistant', text: placeholders.assistant, toolCalls: [] });
        }
        content = added;
        repaired.push({ role: 'user', content });
      }
      continue;
    }
    if (message.text.trim() === '' && message.toolCalls.length === 0) continue;
    if (last === undefined) repaired.push({ role: 'user', content: textOf(placeholders.user) });
    // Only the last message of a turn has calls: the next one follows their results.
    if (last?.role === 'assistant') repaired[repaired.length - 1] = joinAssistants(last, message);
    else repaired.push(message);
    open = message.toolCalls.map(({ id }) => id);
  }
  closeCalls();
  if (repaired.at(-1)?.role === 'assistant') {
    repaired.push({ role: 'user', content: textOf(placeholders.user) });
  }
  return repaired;
}

function withoutEmptyText(content: readonly ModelContent[]): ModelContent[] {
  const kept = content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return kept.length > 0 ? kept : textOf(placeholders.empty);
}

function textOf(text: string): ModelContent[] {
  return [{ type: 'text', text }];
}

function joinAssistants(first: Assistant, second: Assistant): Assistant {
  const text = [first.text, second.text].filter((each) => each.trim() !== '').join('\n\n');
  const { providerMessage } = second;
  // A content that is a list replaces the text.
  if (!Array.isArray(providerMessage?.content)) return { ...second, text };
  const content = [{ type: 'text', text: first.text }, ...providerMessage.content];
  return { ...second, text, providerMessage: { ...providerMessage, content } };
}
