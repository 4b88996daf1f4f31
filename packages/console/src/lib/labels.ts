import type { Feedback } from '@inlay/protocol';

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

/** Statuses of a webhook delivery. */
export const deliveryStatuses: Labels = {
  delivered: 'Delivered',
  failed: 'Failed',
  queued: 'Waiting',
  in_progress: 'Sending',
  skipped: 'Skipped',
};

/** Why a webhook endpoint is disabled. */
export const disabledReasons: Labels = {
  request: 'by request',
  gone: 'response 410',
  failing: 'five days of failures',
};

const reasons: Labels = {
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

export function nameOfRating(rating: string): string {
  return rating === 'up' ? 'Good' : 'Bad';
}

/** The names of a rating's reasons, separated by commas. */
export function namesOfReasons({ reasons: given = [] }: Pick<Feedback, 'reasons'>): string {
  return given.map((reason) => reasons[reason] ?? reason).join(', ');
}
