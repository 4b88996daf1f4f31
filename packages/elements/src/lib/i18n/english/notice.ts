/** What `inlay-notice` says. */
export const noticeWords = {
  errorModel: 'The assistant could not answer. Please try again.',
  errorOverloaded: 'The assistant is very busy right now. Please try again in a moment.',
  errorBudget: 'The budget of this conversation is used up.',
  errorQuota: 'This chat has reached its limit for today.',
  errorTool: 'A step of the answer failed.',
  errorTooLong: 'The answer grew too long and was stopped.',
  errorStalled: 'The answer stopped coming. Please try again.',
  errorOther: 'The answer could not be finished.',
  errorResets: 'You can go on from {when}.',
} as const;
