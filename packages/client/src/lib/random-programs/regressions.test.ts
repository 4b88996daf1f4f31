import { describe, it } from 'vitest';
import { type Program, runProgram } from './program.ts';

/** Minimized programs that once failed, by the behaviour that they test. */
const programs: Readonly<Record<string, Program>> = {
  'does not duplicate the first message of a session whose conversation was closed': [
    ['slow the host down', 1],
    ['buffer streams', 0],
    ['send', 0],
    ['send', 0],
    ['start a new conversation', 0],
    ['revoke the token', 0],
    ['open a session', 0],
    ['retry', 0],
  ],
  'S26: does not send the first message of an earlier page load to another session': [
    ['disconnect the next streams', 0],
    ['send', 0],
    ['lose a response', 0],
    ['reload', 0],
    ['revoke the token', 0],
    ['send', 0],
  ],
  'S26: does not send a failed first message to the session that the next message created': [
    ['disconnect the next streams', 0],
    ['buffer streams', 0],
    ['send', 0],
    ['sign out', 0],
    ['expire the token', 0],
    ['sleep', 0],
    ['sign in again', 0],
    ['send', 0],
  ],
  'deletes the previous user’s text when another user signs in before the conversation was loaded':
    [
      ['fail a request', 7],
      ['send', 0],
      ['send', 0],
      ['reload', 0],
      ['sign in as another', 0],
    ],
  'deletes drafts that were written before the user was known if another user signs in': [
    ['block', 0],
    ['set the draft', 0],
    ['reload', 0],
    ['sign in as another', 0],
  ],
  'deletes the previous user’s text when another user signs in after a sign-out': [
    ['send', 0],
    ['set the draft', 0],
    ['sign in as another without reset', 0],
    ['sign out', 0],
    ['reload', 0],
  ],
  'keeps the draft of a session that is opened again': [
    ['lose a response', 5],
    ['send', 0],
    ['open a session', 0],
    ['set the draft', 0],
    ['reload', 0],
    ['slow requests down', 0],
  ],
  'S27: leaves the stopping state even if the event that ends the run was missed': [
    ['send', 8],
    ['expire the token', 0],
    ['send', 0],
    ['open a session', 0],
    ['stop', 0],
    ['sign out', 0],
  ],
  'S27: leaves the stopping state even if the end of the run was missed and the next run waits for a page tool':
    [
      ['slow requests down', 1],
      ['send', 0],
      ['sleep', 0],
      ['send', 0],
      ['open a session', 0],
      ['stop', 0],
      ['send', 3],
    ],
  'shows the branch of an unsent message after a reload': [
    ['send', 0],
    ['edit', 0],
    ['show another branch', 0],
    ['fail a request', 0],
    ['send', 0],
    ['start a new conversation', 0],
    ['reload', 0],
  ],
  'shows the current branch of a session whose first message was repeated': [
    ['buffer streams', 0],
    ['send', 0],
    ['open a session', 0],
    ['reload', 0],
    ['edit', 0],
    ['show another branch', 0],
    ['send', 0],
  ],
  'S26: resends an unsent message with the same body after a reload and an edit': [
    ['send', 0],
    ['lose a response', 0],
    ['slow the host down', 4],
    ['send', 0],
    ['reload', 0],
    ['send', 0],
    ['edit', 0],
  ],
  'shows an edit of a message whose response was lost': [
    ['lose a response', 2],
    ['send', 0],
    ['send', 0],
    ['block', 0],
    ['edit', 0],
  ],
};

describe('the client', () => {
  for (const [name, program] of Object.entries(programs)) it(name, () => runProgram(program));

  it('shows the answer to a message that was in the log before its response arrived', async () => {
    await runProgram([
      ['send', 0],
      ['lose a response', 0],
      ['send', 0],
      ['send', 0],
      ['block', 0],
    ]);
  });
});
