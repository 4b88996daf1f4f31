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
  onConversationRequest: 'inlay-conversation-request',
  onNewConversation: 'inlay-new-conversation',
  onConversation: 'inlay-conversation',
  onConversationLoad: 'inlay-conversation-load',
  onRatingRequest: 'inlay-rating-request',
  onRating: 'inlay-rating',
  onDecisionRequest: 'inlay-decision-request',
  onDecision: 'inlay-decision',
  onLinkRequest: 'inlay-link-request',
  onCardRequest: 'inlay-card-request',
  onCard: 'inlay-card',
  onToolRequest: 'inlay-tool-request',
  onTool: 'inlay-tool',
  onCommand: 'inlay-command',
  onMode: 'inlay-mode',
  onExportRequest: 'inlay-export-request',
  onExported: 'inlay-exported',
  onDeleteRequest: 'inlay-delete-request',
  onDeleted: 'inlay-deleted',
  onForgetRequest: 'inlay-forget-request',
  onForgotten: 'inlay-forgotten',
  onConsent: 'inlay-consent',
} as const;

/** What `inlay-launcher` tells: what the chat in it does, and more. */
export const launcherEvents = {
  ...chatEvents,
  onOpenRequest: 'inlay-open-request',
  onCloseRequest: 'inlay-close-request',
  onToggle: 'inlay-toggle',
} as const;
