/** What `inlay-feedback` says. */
export const feedbackWords = {
  feedbackComment: 'Tell us more (optional)',
  feedbackSend: 'Send feedback',
  feedbackSkip: 'Skip',
  reasonCorrect: 'Correct',
  reasonHelpful: 'Helpful',
  reasonClear: 'Clear',
  reasonIncorrect: 'Not correct',
  reasonIncomplete: 'Incomplete',
  reasonUnclear: 'Hard to follow',
  reasonOffTopic: 'Not what I asked',
  reasonUnsafe: 'Harmful or unsafe',
  reasonOther: 'Something else',
} as const;
