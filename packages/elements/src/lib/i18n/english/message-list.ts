import type { Plural } from '../plural.ts';

/** What the list and the messages in it say. */
export const messageListWords = {
  messages: 'Conversation',
  you: 'You said',
  loadingEarlier: 'Loading the conversation',
  jumpToLatest: 'Jump to the latest message',
  newMessages: { one: 'New message', other: '{count} new messages' } as Plural,
  newHere: 'New',
  messageBy: '{name}, {time}',
  youName: 'You',
  messageKeys: 'Alt+Page Up and Alt+Page Down go from message to message, Escape back to writing.',
  queued: 'Waiting to send',
  sendFailed: 'Not sent',
  discard: 'Discard',
  attachment: { one: '1 attachment', other: '{count} attachments' } as Plural,
} as const;
