import { afterAll, beforeAll, describe } from 'vitest';
import type { AgentName } from './agents.ts';
import { type Platforms, realPlatforms, scriptedPlatforms } from './targets.ts';
import { userApi } from './user-api.ts';

/** Creates a new user with a token for an agent. */
export type Setup = ReturnType<typeof setupOf>;

let userCount = 0;

function setupOf(platforms: () => Platforms) {
  return async (agent: AgentName = 'plain') => {
    userCount += 1;
    const user = `user-${userCount}`;
    const target = await platforms().target(agent);
    const issued = await target.issue(user);
    const ada = userApi(target, issued);
    const userWith = (token: string) => userApi(target, { token });
    return { target, user, issued, ada, as: userWith };
  };
}

/** Runs the same tests on the real server and on the scripted platform of `@inlay/client/testing`. */
export function describeOnBothPlatforms(tests: (setup: Setup) => void): void {
  describe.each([
    ['the scripted platform', scriptedPlatforms],
    ['the real server', realPlatforms],
  ])('on %s,', (_name, start) => {
    let platforms: Platforms;
    beforeAll(async () => {
      platforms = await start();
    });
    afterAll(() => platforms.close());
    tests(setupOf(() => platforms));
  });
}

/** Event types in the log after one message and its answer. */
export const answerEventTypes = [
  'user.message',
  'session.status_running',
  'span.model_request_start',
  'agent.message',
  'span.model_request_end',
  'session.status_idle',
];

export const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);
