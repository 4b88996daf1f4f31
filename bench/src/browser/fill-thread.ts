import { at } from '../lib/at.ts';
import { openStreams } from '../server/open-streams.ts';
import { type Platform, streamOf, type Visitor, visit } from '../server/platform.ts';

/** What the person asks, by its place in the thread. */
export const questionOf = (number: number) => `question ${String(number).padStart(5, '0')}`;

/** Holds a conversation of so many messages: a question, its answer, the next question. */
export async function fillThread(platform: Platform, messages: number): Promise<Visitor> {
  const visitor = await visit(platform, `talker-of-${messages}`);
  const stream = at(await openStreams(platform.port, 1, () => streamOf(visitor)), 0);
  for (let number = 0; number < messages / 2; number += 1) {
    const idle = stream.untilMark('"session.status_idle"');
    await platform.endUser(visitor.token, `/agent/v1/sessions/${visitor.session}/events`, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: questionOf(number) }] }],
    });
    await idle;
  }
  stream.close();
  return visitor;
}
