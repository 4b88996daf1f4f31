import { describe, it } from 'vitest';
import { type Program, run } from './program.ts';

/** Programs that something went wrong with once, as short as they could be made. */
const known: Readonly<Record<string, Program>> = {
  'shows the message that made a session once, though its view was closed before': [
    ['slow the host down', 1],
    ['hold streams back', 0],
    ['send', 0],
    ['send', 0],
    ['new', 0],
    ['revoke the token', 0],
    ['switch', 0],
    ['retry', 0],
  ],
  'S26: does not put a first message that was left behind into the session of another': [
    ['cut the next streams', 0],
    ['send', 0],
    ['lose an answer', 0],
    ['reload', 0],
    ['revoke the token', 0],
    ['send', 0],
  ],
  'S26: does not put a first message that failed into the session of the next one': [
    ['cut the next streams', 0],
    ['hold streams back', 0],
    ['send', 0],
    ['sign out', 0],
    ['expire the token', 0],
    ['sleep', 0],
    ['sign in again', 0],
    ['send', 0],
  ],
  'deletes the former person’s text also where their conversation could not be read yet': [
    ['fail a request', 7],
    ['send', 0],
    ['send', 0],
    ['reload', 0],
    ['sign in as another', 0],
  ],
  'deletes the former person’s text also where nobody said who they were': [
    ['block', 0],
    ['set the draft', 0],
    ['reload', 0],
    ['sign in as another', 0],
  ],
  'forgets the former person’s text when the next one comes after a sign-out': [
    ['send', 0],
    ['set the draft', 0],
    ['let another in without a word', 0],
    ['sign out', 0],
    ['reload', 0],
  ],
  'keeps the draft of a session that is found a second time': [
    ['lose an answer', 5],
    ['send', 0],
    ['switch', 0],
    ['set the draft', 0],
    ['reload', 0],
    ['slow requests down', 0],
  ],
  'S27: is not stopping for ever where the run ended unseen': [
    ['send', 8],
    ['expire the token', 0],
    ['send', 0],
    ['switch', 0],
    ['stop', 0],
    ['sign out', 0],
  ],
  'S27: is not stopping for ever where the run ended unseen, and the next one waits for the page': [
    ['slow requests down', 1],
    ['send', 0],
    ['sleep', 0],
    ['send', 0],
    ['switch', 0],
    ['stop', 0],
    ['send', 3],
  ],
  'shows the branch of what could not be sent before a reload': [
    ['send', 0],
    ['edit', 0],
    ['show another branch', 0],
    ['fail a request', 0],
    ['send', 0],
    ['new', 0],
    ['reload', 0],
  ],
  'shows the branch that a log is on which is read as the answer to its first message': [
    ['hold streams back', 0],
    ['send', 0],
    ['switch', 0],
    ['reload', 0],
    ['edit', 0],
    ['show another branch', 0],
    ['send', 0],
  ],
  'S26: repeats what was sent before a reload to the letter, also where an edit came between': [
    ['send', 0],
    ['lose an answer', 0],
    ['slow the host down', 4],
    ['send', 0],
    ['reload', 0],
    ['send', 0],
    ['edit', 0],
  ],
  'shows what was said in place of a message whose own arrival was not heard of': [
    ['lose an answer', 2],
    ['send', 0],
    ['send', 0],
    ['block', 0],
    ['edit', 0],
  ],
};

describe('the whole client', () => {
  for (const [name, program] of Object.entries(known)) it(name, () => run(program));

  it('shows what followed a message that turns out to be in the log already', async () => {
    await run([
      ['send', 0],
      ['lose an answer', 0],
      ['send', 0],
      ['send', 0],
      ['block', 0],
    ]);
  });
});
