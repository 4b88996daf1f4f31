import type { Answer, Question } from '../testing/platform/script.ts';

/** Words in a message that select the agent's answer. */
export const answerWords = [
  'plain',
  'tool',
  'ask',
  'page',
  'gated',
  'slow',
  'fail',
  'card',
] as const;

/** Answers a message. Every message and answer begins with the name of its user. */
export function answerMessage({ text, user }: Question): Answer {
  const answer = { say: `${user}: an answer to “${text}”`, delay_ms: 30 };
  const think = { think: `${user}: thinking about “${text}”`, delay_ms: 30 };
  if (text.startsWith('[Answer')) return [answer];
  if (text.includes('card')) return [answer, { call: 'show_card', input: card }];
  if (text.includes('tool')) return [think, { call: 'look', delay_ms: 200 }, answer];
  if (text.includes('ask')) return [answer, { call: 'act', permission: 'ask' }, answer];
  if (text.includes('page')) return [{ call: 'read', runs_on: 'page' }, answer];
  if (text.includes('gated')) return [{ call: 'open', runs_on: 'page', permission: 'ask' }, answer];
  if (text.includes('slow')) return [think, { ...answer, delay_ms: 3_000 }];
  if (text.includes('fail')) return [answer, { fail: 'as asked', retryable: true }];
  return [answer];
}

const card = { blocks: [{ type: 'buttons', buttons: [{ label: 'Go', action: 'go' }] }] };
