/** What `inlay-status` says. */
export const statusWords = {
  unavailableText: 'The site did not let it in. Please try again in a moment.',
  signedOutText: 'This chat is for people who are signed in to this site.',
  expiredText: 'You were away for a while. Reconnect to go on where you left off.',
  linkExpiredText: 'To continue, go back to the page where you opened this chat and open it again.',
  revokedText: 'Your access has ended. What was said stays here until you leave the page.',
  blockedText: 'Your access to this chat was withdrawn. Please contact the site you are on.',
  offlineText: 'Keep writing: messages are sent as soon as you are back.',
  budgetText: 'This conversation can’t go on for now. You can start a new one.',
  quotaText: 'The chat can be used again from {time}.',
  closedText: 'You can start a new one.',
  originText: 'For the owner of the site: {origin} is not among the agent’s allowed origins.',
  draftKept: 'What you were writing is kept.',
  reconnect: 'Reconnect',
  reconnectNow: 'Reconnect now',
} as const;
