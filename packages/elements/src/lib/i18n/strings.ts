/** A sentence that depends on a number, by the plural categories of its language. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/**
 * Every word the elements say. `{name}` stands for a value. Give the `strings` property an object
 * with those that you want otherwise; what it leaves out stays English.
 */
export const english = {
  /** BCP 47 tag for dates, numbers and plurals. Set it together with the words. */
  locale: 'en',

  chatLabel: 'Chat',
  chatWith: 'Chat with {agent}',
  agent: 'Assistant',
  newConversation: 'New conversation',
  loading: 'Loading the chat',

  greeting: 'How can I help?',
  starters: 'Suggestions',

  messages: 'Conversation',
  you: 'You said',
  answered: '{agent} said',
  answering: '{agent} is answering',
  announceAnswer: '{agent}: {text}',
  loadingEarlier: 'Loading the conversation',
  jumpToLatest: 'Jump to the latest message',
  newMessages: { one: 'New message', other: '{count} new messages' } as Plural,
  newHere: 'New',
  messageBy: '{name}, {time}',
  youName: 'You',
  messageKeys: 'Alt+Page Up and Alt+Page Down go from message to message, Escape back to writing.',

  messageField: 'Message',
  placeholder: 'Write a message',
  placeholderAgent: 'Message {agent}',
  send: 'Send',
  attach: 'Attach files',
  attachments: 'Attachments',
  attachmentsUnfinished: 'A file is not ready yet. Wait for it, try it again, or remove it.',
  attachUnavailable: 'Files can’t be attached just now. Please try again.',
  dropFiles: 'Drop files to attach them',
  uploading: 'Uploading {name}',
  uploadFailed: 'Not uploaded',
  removeFile: 'Remove {name}',
  retryFile: 'Upload {name} again',
  fileTooLarge: 'Larger than {size}',
  tooManyFiles: 'At most {count} files',
  fileTypeRefused: 'This kind of file is not accepted',
  fileEmpty: 'The file is empty',
  dictate: 'Dictate',
  dictateStop: 'Stop dictating',
  dictationDenied: 'The microphone is not allowed here.',
  dictationFailed: 'Dictation stopped. Please try again.',
  mode: 'How to answer',
  suggestions: 'Commands and mentions',
  searching: 'Searching…',
  stop: 'Stop answering',

  queued: 'Waiting to send',
  sending: 'Sending',
  sendFailed: 'Not sent',
  retry: 'Try again',
  discard: 'Discard',
  stopped: 'Stopped',
  brokeOff: 'The answer broke off',
  attachment: { one: '1 attachment', other: '{count} attachments' } as Plural,

  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying is not allowed here. The code is selected: press Ctrl+C or ⌘C.',
  codeBlock: 'Code',
  table: 'Table',
  taskDone: 'Done',
  taskOpen: 'To do',
  imageBlocked: 'Image from {host} not loaded',
  copyMessage: 'Copy message',
  copyAnswerFailed: 'Copying is not allowed here.',
  again: 'Answer again',
  quote: 'Quote',
  messageActions: 'Actions for this message',
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',

  thinking: 'Thinking',
  thinkingFor: 'Thinking for {duration}',
  thoughtFor: 'Thought for {duration}',
  thoughtStopped: 'Stopped thinking',

  toolRunning: 'Running',
  toolWaiting: 'Waiting for this page',
  toolApproval: 'Needs your approval',
  toolDone: 'Done',
  toolFailed: 'Failed',
  toolDenied: 'Denied',
  toolStopped: 'Stopped',
  toolInput: 'Input',
  toolNoInput: 'No input',
  toolResult: 'Result',
  toolError: 'What went wrong',
  toolQuestion: 'Allow “{tool}” to run?',
  toolQuestionAnnounced: 'Your approval is needed. {question}',
  toolChanged: 'The call has changed. Please look at it again.',
  toolAllowedByYou: 'You allowed this.',
  toolDeniedByYou: 'You denied this.',
  toolDeniedBecause: 'You denied this: {reason}',
  yes: 'Yes',
  no: 'No',
  allow: 'Allow',
  deny: 'Deny',
  denyReason: 'Why not? (optional)',
  cancel: 'Cancel',

  feedbackUp: 'What did you like?',
  feedbackDown: 'What went wrong?',
  feedbackComment: 'Tell us more (optional)',
  feedbackSend: 'Send feedback',
  feedbackSkip: 'Skip',
  feedbackThanks: 'Thank you for your feedback.',
  reasonCorrect: 'Correct',
  reasonHelpful: 'Helpful',
  reasonClear: 'Clear',
  reasonIncorrect: 'Not correct',
  reasonIncomplete: 'Incomplete',
  reasonUnclear: 'Hard to follow',
  reasonOffTopic: 'Not what I asked',
  reasonUnsafe: 'Harmful or unsafe',
  reasonOther: 'Something else',

  edit: 'Edit',
  editField: 'Edit your message',
  versionOf: 'Version {at} of {of}',
  previousVersion: 'Previous version',
  nextVersion: 'Next version',
  image: 'Image',
  document: 'Document',
  openFile: 'Open {name}',
  downloadFile: 'Download {name}',
  fileFailed: 'Could not be loaded',

  card: 'Card',
  cardRequired: 'required',
  cardChoose: 'Please choose',
  cardMissing: 'Please fill this in.',
  cardMissingChoice: 'Please choose one.',
  cardMissingCheck: 'Please tick this to go on.',
  cardNotEmail: 'Please enter an e-mail address, such as name@example.com.',
  cardNotNumber: 'Please enter a number.',
  cardNotDate: 'Please enter a date.',
  cardTooSmall: 'Please enter {min} or more.',
  cardTooLarge: 'Please enter {max} or less.',
  cardTooLong: {
    one: 'At most {count} character.',
    other: 'At most {count} characters.',
  } as Plural,
  cardSending: 'Sending',
  cardSent: 'Sent',
  cardNotSent: 'This was not sent. Please try again.',
  cardConflict: 'This was answered somewhere else. What counts is shown here.',
  cardChosen: 'Chosen',
  cardNoValue: 'No answer',
  cardProblems: { one: '1 field needs a look.', other: '{count} fields need a look.' } as Plural,

  chartBar: 'Bar chart',
  chartLine: 'Line chart',
  chartPie: 'Pie chart',
  chartRange: '{series}: lowest {min} ({minLabel}), highest {max} ({maxLabel}).',
  chartShare: '{label}: {value}, {share}.',
  chartEmpty: 'There are no numbers to show.',
  chartNumbers: 'Show the numbers',
  chartOf: 'What',
  chartValue: 'Value',

  errorModel: 'The assistant could not answer. Please try again.',
  errorOverloaded: 'The assistant is very busy right now. Please try again in a moment.',
  errorBudget: 'The budget of this conversation is used up.',
  errorQuota: 'This chat has reached its limit for today.',
  errorTool: 'A step of the answer failed.',
  errorOther: 'The answer could not be finished.',
  errorResets: 'It begins anew at: {when}.',

  refreshing: 'Reconnecting…',
  unavailableTitle: 'The chat can’t start just now',
  unavailableText: 'The site did not let it in. Please try again in a moment.',
  signedOutTitle: 'Sign in to chat',
  signedOutText: 'This chat is for people who are signed in to this site.',
  expiredTitle: 'Your session has ended',
  expiredText: 'You were away for a while. Reconnect to go on where you left off.',
  revokedTitle: 'This chat was closed',
  revokedText: 'Your access has ended. What was said stays here until you leave the page.',
  blockedTitle: 'You can’t use this chat',
  blockedText: 'Your access to this chat was withdrawn. Please contact the site you are on.',
  offlineTitle: 'You are offline',
  offlineText: 'Keep writing: messages are sent as soon as you are back.',
  budgetTitle: 'The limit of this chat is reached',
  budgetText: 'This conversation can’t go on for now. You can start a new one.',
  closedTitle: 'This conversation is over',
  closedText: 'You can start a new one.',
  originTitle: 'The chat does not work on this page',
  originText: 'For the owner of the site: {origin} is not among the agent’s allowed origins.',
  draftKept: 'What you were writing is kept.',
  reconnect: 'Reconnect',

  threads: 'Conversations',
  openThreads: 'Show conversations',
  closeThreads: 'Hide conversations',
  loadingThreads: 'Loading the conversations',
  searchThreads: 'Search conversations',
  noThreads: 'No conversations yet',
  noThreadsFound: 'Nothing found',
  threadsFailed: 'That did not work. Please try again.',
  untitled: 'New conversation',
  threadActions: 'What to do with it',
  threadName: 'Name',
  renameThread: 'Rename',
  archiveThread: 'Archive',
  unarchiveThread: 'Take out of the archive',
  deleteThread: 'Delete',
  deleteThreadQuestion: 'Delete this conversation? It can’t be brought back.',
  threadArchived: 'Archived',
  threadUnarchived: 'Taken out of the archive',
  threadDeleted: 'Deleted',
  showArchived: 'Show the archive',
  showThreads: 'Back to all conversations',
  save: 'Save',

  setupTitle: 'The chat is not set up yet',
  loadFailedTitle: 'The chat could not be loaded',
  loadFailedText: 'The service does not answer. Please try again.',

  openChat: 'Open chat',
  closeChat: 'Close chat',
  unread: { one: '1 unread message', other: '{count} unread messages' } as Plural,
  dismissTeaser: 'Dismiss',
} as const satisfies Record<string, string | Plural>;

/** The whole table, as the elements use it. */
export type Strings = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends Plural ? Plural : string;
};

/** What a page sets as `strings`. */
export type StringOverrides = Partial<Strings>;

/** The English table with some strings replaced. Unknown keys and undefined values are left out. */
export function withStrings(overrides: StringOverrides | null | undefined): Strings {
  if (!overrides) return english;
  const known = Object.entries(overrides).filter(
    ([key, value]) => Object.hasOwn(english, key) && value !== undefined,
  );
  return { ...english, ...Object.fromEntries(known) };
}
