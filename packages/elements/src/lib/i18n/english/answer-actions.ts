/** What `inlay-answer-actions` says. */
export const answerActionsWords = {
  again: 'Answer again',
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',
  feedbackThanks: 'Thank you for your feedback.',
} as const;
