// Written by `npm run manifest` from the `@fires` of the elements. Change those.

/** What `inlay-chat` tells, by the name of the prop that hears it. */
export const chatEvents = {
  onReady: 'inlay-ready',
  onAuthChange: 'inlay-auth-change',
  onMessageRequest: 'inlay-message-request',
  onMessageSent: 'inlay-message-sent',
  onAnswer: 'inlay-answer',
  onError: 'inlay-error',
  onDiagnostic: 'inlay-diagnostic',
  onNewConversation: 'inlay-new-conversation',
} as const;

/** What `inlay-launcher` tells: what the chat in it does, and more. */
export const launcherEvents = {
  ...chatEvents,
  onToggle: 'inlay-toggle',
} as const;
