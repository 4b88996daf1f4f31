import { afterAll, beforeAll, describe } from 'vitest';
import type { AgentName } from './agents.ts';
import { person } from './person.ts';
import { type Platforms, realPlatforms, scriptedPlatforms } from './targets.ts';

/** Lets a test begin: somebody whom no other test knows, with a token, before an agent. */
export type Setup = ReturnType<typeof setupOf>;

let people = 0;

function setupOf(platforms: () => Platforms) {
  return async (agent: AgentName = 'plain') => {
    people += 1;
    const user = `person-${people}`;
    const target = await platforms().target(agent);
    const issued = await target.issue(user);
    const ada = person(target, issued);
    const as = (token: string) => person(target, { token });
    return { target, user, issued, ada, as };
  };
}

/**
 * Makes the same tests on the real server and on the scripted platform that `@inlay/client/testing`
 * offers: what holds for the one holds for the other.
 */
export function onBothPlatforms(tests: (setup: Setup) => void): void {
  describe.each([
    { name: 'the scripted platform', start: scriptedPlatforms },
    { name: 'the real server', start: realPlatforms },
  ])('$name', ({ start }) => {
    let platforms: Platforms;
    beforeAll(async () => {
      platforms = await start();
    });
    afterAll(() => platforms.close());
    tests(setupOf(() => platforms));
  });
}

/** What a question and its answer leave in the log. */
export const answered = [
  'user.message',
  'session.status_running',
  'span.model_request_start',
  'agent.message',
  'span.model_request_end',
  'session.status_idle',
];

export const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);
