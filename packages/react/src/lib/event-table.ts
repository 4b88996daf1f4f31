// Written by `npm run manifest` from the `@fires` of the elements. Change those.

/** What `inlay-chat` tells, by the name of the prop that hears it. */
export const chatEvents = {
  onReady: 'inlay-ready',
  onAuthChange: 'inlay-auth-change',
  onMessageRequest: 'inlay-message-request',
  onMessage: 'inlay-message',
  onAnswer: 'inlay-answer',
  onError: 'inlay-error',
  onDiagnostic: 'inlay-diagnostic',
  onConversationRequest: 'inlay-conversation-request',
  onConversation: 'inlay-conversation',
  onConversationLoad: 'inlay-conversation-load',
  onRatingRequest: 'inlay-rating-request',
  onRating: 'inlay-rating',
  onDecisionRequest: 'inlay-decision-request',
  onDecision: 'inlay-decision',
  onLinkRequest: 'inlay-link-request',
  onLink: 'inlay-link',
  onCopy: 'inlay-copy',
  onCardRequest: 'inlay-card-request',
  onCard: 'inlay-card',
  onToolRequest: 'inlay-tool-request',
  onTool: 'inlay-tool',
  onCommand: 'inlay-command',
  onMode: 'inlay-mode',
  onExportRequest: 'inlay-export-request',
  onExport: 'inlay-export',
  onDeleteRequest: 'inlay-delete-request',
  onDelete: 'inlay-delete',
  onForgetRequest: 'inlay-forget-request',
  onForget: 'inlay-forget',
  onConsentRequest: 'inlay-consent-request',
  onConsent: 'inlay-consent',
} as const;

/** What `inlay-launcher` tells: what the chat in it does, and more. */
export const launcherEvents = {
  ...chatEvents,
  onOpenRequest: 'inlay-open-request',
  onOpen: 'inlay-open',
  onCloseRequest: 'inlay-close-request',
  onClose: 'inlay-close',
} as const;
