/** What `inlay-menu` says. */
export const menuWords = {
  exportMarkdown: 'Save as text (Markdown)',
  exportJson: 'Save as data (JSON)',
  deleteConversation: 'Delete conversation',
  forgetMe: 'Forget me',
  forgetMeText: 'Deletes all your conversations and files here, for good.',
  forgetMeYes: 'Delete everything',
} as const;
