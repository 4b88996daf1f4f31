type Labels = Readonly<Record<string, string>>;

/** How the last answer of a conversation ended. */
export const outcomes: Labels = {
  answered: 'Answered',
  failed: 'Failed',
  budget: 'Budget reached',
  interrupted: 'Stopped',
};

/** Statuses of a conversation. */
export const statuses: Labels = {
  idle: 'Idle',
  running: 'Answering',
  rescheduling: 'Rescheduling',
  terminated: 'Ended',
};

/** Reasons of ratings. */
export const reasons: Labels = {
  correct: 'correct',
  helpful: 'helpful',
  clear: 'clear',
  incorrect: 'incorrect',
  incomplete: 'incomplete',
  unclear: 'unclear',
  off_topic: 'off topic',
  unsafe: 'unsafe',
  other: 'other',
};
