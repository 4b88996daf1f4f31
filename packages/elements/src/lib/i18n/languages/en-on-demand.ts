import type { Plural } from '../plural.ts';

/** The English strings that only elements use that a chat loads on demand. */
export const englishOnDemand = {
  // Strings of several elements.
  yes: 'Yes',
  no: 'No',
  deleteConversationQuestion: 'Delete “{title}”?',
  cannotBeUndone: 'This can’t be undone.',

  // `inlay-message-editor`.
  editField: 'Edit your message',

  // `inlay-attachments`.
  attachments: 'Attachments',
  uploading: 'Uploading {name}',
  uploadFailed: 'Not uploaded',
  removeFile: 'Remove {name}',
  fileAttached: 'Attached: {name}',
  allowedTypes: 'Allowed: {types}',
  pages: { one: '1 page', other: '{count} pages' } as Plural,
  fileTooLarge: 'Larger than {size}',
  tooManyFiles: { one: 'At most {count} file', other: 'At most {count} files' } as Plural,
  fileTypeRefused: 'File type not supported',
  fileEmpty: 'The file is empty',

  // `inlay-file`.
  document: 'Document',
  downloadFile: 'Download {name}',
  closePicture: 'Close picture',
  previousPicture: 'Previous picture',
  nextPicture: 'Next picture',
  fileFailed: 'Couldn’t be loaded',

  // `inlay-thinking`.
  thinking: 'Thinking…',
  thinkingFor: 'Thinking for {duration}…',
  thoughtFor: 'Thought for {duration}',
  thoughtStopped: 'Stopped thinking',

  // `inlay-tool-call`.
  toolRunning: 'Running…',
  toolWaiting: 'Waiting for this page…',
  toolApproval: 'Needs your approval',
  toolDone: 'Done',
  toolFailed: 'Failed',
  toolDenied: 'Denied',
  toolStopped: 'Stopped',
  toolSkipped: 'Skipped',
  toolInput: 'Input',
  toolNoInput: 'No input',
  toolUnread: 'Read all of it before you allow it.',
  toolUndeclared: 'Not part of this tool',
  toolEmptyLines: { one: '1 empty line', other: '{count} empty lines' } as Plural,
  toolShowAll: 'Show all',
  toolResult: 'Result',
  toolError: 'What went wrong',
  toolQuestion: 'Allow “{tool}” to run?',
  toolQuestionAnnounced: 'Your approval is needed. {question}',
  toolChanged: 'The request has changed. Review it again.',
  toolAllowedByYou: 'You allowed this.',
  toolDeniedByYou: 'You denied this.',
  toolDeniedBecause: 'You denied this: {reason}',
  toolUnanswered: 'Not run, because you didn’t answer.',
  allow: 'Allow',
  deny: 'Deny',
  denyReason: 'Why not? (optional)',

  // `inlay-card`.
  card: 'Card',
  cardRequired: 'required',
  cardChoose: 'Choose an option',
  cardMissing: 'This field is required.',
  cardMissingChoice: 'Choose an option.',
  cardMissingCheck: 'Check this box to continue.',
  cardNotEmail: 'Enter an email address, such as name@example.com.',
  cardNotNumber: 'Enter a number.',
  cardNotDate: 'Enter a date.',
  cardTooSmall: 'Enter {min} or more.',
  cardTooLarge: 'Enter {max} or less.',
  cardTooLong: {
    one: 'At most {count} character.',
    other: 'At most {count} characters.',
  } as Plural,
  cardSent: 'Sent',
  cardNotSent: 'Not sent. Try again.',
  cardConflict: 'Already answered elsewhere. The saved answer is shown.',
  cardChosen: 'Chosen',
  cardNoValue: 'No answer',
  cardProblems: {
    one: '1 field needs attention.',
    other: '{count} fields need attention.',
  } as Plural,

  // `inlay-chart`.
  chartBar: 'Bar chart',
  chartLine: 'Line chart',
  chartPie: 'Pie chart',
  chartRange: '{series}: lowest {min} ({minLabel}), highest {max} ({maxLabel}).',
  chartShare: '{label}: {value}, {share}.',
  chartEmpty: 'There are no numbers to show.',
  chartNumbers: 'View as table',
  chartOther: 'Other',
  chartOf: 'Item',
  chartValue: 'Value',

  // `inlay-notice`.
  errorModel: 'The assistant couldn’t answer.',
  errorOverloaded: 'The assistant is very busy right now. Try again in a moment.',
  errorBudget: 'You’ve reached this conversation’s limit.',
  errorQuota: 'You’ve reached today’s limit.',
  errorTool: 'A step failed.',
  errorTooLong: 'The answer got too long and was stopped.',
  errorStalled: 'The answer stopped arriving.',
  errorFiltered: 'The answer was withheld by a content filter. Try asking differently.',
  errorEmpty: 'The assistant gave no answer.',
  errorOther: 'Something went wrong before the answer finished.',
  continueAnswer: 'Continue',
  errorResets: 'You can continue from {when}.',

  // `inlay-answer-actions`.
  readAloudStop: 'Stop reading aloud',
  readAloudFailed: 'The answer couldn’t be read aloud.',

  // `inlay-feedback`.
  feedbackComment: 'Tell us more (optional)',
  feedbackSend: 'Send feedback',
  feedbackSkip: 'Skip',
  reasonCorrect: 'Correct',
  reasonHelpful: 'Helpful',
  reasonClear: 'Clear',
  reasonIncorrect: 'Incorrect',
  reasonIncomplete: 'Incomplete',
  reasonUnclear: 'Hard to follow',
  reasonOffTopic: 'Not what I asked',
  reasonUnsafe: 'Harmful or unsafe',
  reasonOther: 'Something else',

  // `inlay-quota`.
  conversationUsed: 'You’ve used {percent} of this conversation’s limit.',
  dayUsed: 'You’ve used {percent} of today’s limit.',

  // `inlay-suggestions`.
  followUps: 'Suggested replies',

  // `inlay-visitor-claim`.
  keepEarlier: 'Keep the conversation from before you signed in?',
  keepEarlierText: 'If you choose “No”, it can’t be opened on this device any more.',

  // `inlay-consent`.
  consentTitle: 'Before we begin',
  accept: 'Accept and continue',

  // `inlay-menu`.
  exportMarkdown: 'Export as Markdown',
  exportJson: 'Export as JSON',
  deleteConversation: 'Delete conversation',
  forgetMe: 'Delete my data',
  forgetMeText: 'Permanently deletes all your conversations and files.',
  forgetMeYes: 'Delete everything',
  deletedAfter: {
    one: 'Conversations are deleted 1 day after the last message.',
    other: 'Conversations are deleted {count} days after the last message.',
  } as Plural,

  // `inlay-conversation-list` and `inlay-conversation-item`.
  loadingConversations: 'Loading the conversations',
  searchConversations: 'Search conversations',
  clearSearch: 'Clear the search',
  earlier: 'Earlier',
  conversationWaiting: 'Waiting for you',
  noConversations: 'No conversations yet',
  noConversationsFound: 'No conversations match “{query}”',
  conversationsFailed: 'Something went wrong. Try again.',
  untitled: 'New conversation',
  conversationActions: 'Actions for {title}',
  conversationName: 'Name',
  renameConversation: 'Rename',
  archiveConversation: 'Archive',
  unarchiveConversation: 'Unarchive',
  conversationArchived: 'Archived',
  conversationUnarchived: 'Unarchived',
  showArchived: 'Archived',
  showConversations: 'Back to all conversations',
  save: 'Save',
} as const satisfies Record<string, string | Plural>;
