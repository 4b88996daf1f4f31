/** The scripted platform behaves like the real server: same statuses, problem codes and logs. */
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyActions, normalizedLog, perform } from './contract/actions.ts';
import { type Platforms, realPlatforms, scriptedPlatforms } from './contract/targets.ts';
import { userApi } from './contract/user-api.ts';

const real = await realPlatforms();
afterAll(() => real.close());

let users = 0;

describe.each(['plain', 'cashier', 'guide', 'failing', 'shop'] as const)(
  'with the agent “%s”,',
  (agent) => {
    it('both platforms send the same responses and have the same log after any actions', {
      timeout: 60_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(anyActions, async (actions) => {
          users += 1;
          const play = async (platforms: Platforms) => {
            const target = await platforms.target(agent);
            const ada = userApi(target, await target.issue(`user-${users}`));
            const id = await ada.create();
            const answers: unknown[] = [];
            for (const action of actions) answers.push(await perform(action, ada, id));
            return { answers, log: normalizedLog(await ada.log(id)) };
          };
          expect(await play(scriptedPlatforms())).toEqual(await play(real));
        }),
        { numRuns: 12 },
      );
    });
  },
);
