/** The scripted platform has the same statuses, problem codes and logs as the real server. */
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyActions, normalizedLog, perform } from './contract/actions.ts';
import { type Platforms, realPlatforms, scriptedPlatforms } from './contract/targets.ts';
import { userApi } from './contract/user-api.ts';

const realServer = await realPlatforms();
afterAll(() => realServer.close());

let userCount = 0;

describe.each(['plain', 'cashier', 'guide', 'failing', 'shop'] as const)(
  'with the agent “%s”,',
  (agent) => {
    it('both platforms respond with the same statuses and problem codes, and have the same log, after any actions', async () => {
      await fc.assert(
        fc.asyncProperty(anyActions, async (actions) => {
          userCount += 1;
          const play = async (platforms: Platforms) => {
            const target = await platforms.target(agent);
            const ada = userApi(target, await target.issue(`user-${userCount}`));
            const id = await ada.create();
            const answers: unknown[] = [];
            for (const action of actions) answers.push(await perform(action, ada, id));
            return { answers, log: normalizedLog(await ada.log(id)) };
          };
          expect(await play(scriptedPlatforms())).toEqual(await play(realServer));
        }),
        { numRuns: 12 },
      );
    });
  },
);
