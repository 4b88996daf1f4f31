/** What `inlay-message-editor` says. */
export const messageEditorWords = {
  editField: 'Edit your message',
} as const;
