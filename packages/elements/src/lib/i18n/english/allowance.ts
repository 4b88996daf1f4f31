/** What `inlay-allowance` says. */
export const allowanceWords = {
  conversationUsed: '{percent} of what this conversation may use is used.',
  dayUsed: '{percent} of what this chat may use today is used.',
  resetsAt: 'There is more from {time}.',
} as const;
