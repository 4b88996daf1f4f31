/** The scripted platform has the same statuses, problem codes and logs as the real server. */
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Action, anyActions, normalizedLog, perform } from './contract/actions.ts';
import { type Platforms, realPlatforms, scriptedPlatforms } from './contract/targets.ts';
import { userApi } from './contract/user-api.ts';

const realServer = await realPlatforms();
afterAll(() => realServer.close());

let userCount = 0;

const hi: Action = { do: 'say', text: 'Hi' };
const once: Action = { ...hi, key: 'a' };
const [stop, allow, deny, result, rate] = (
  ['stop', 'allow', 'deny', 'tool_result', 'rate'] as const
).map((name): Action => ({ do: name })) as [Action, Action, Action, Action, Action];

/** Sequences that are tested with every agent, in addition to the random ones. */
const examples: [Action[]][] = [
  [[hi, rate, hi]],
  [[hi, allow, allow]],
  [[hi, deny, hi]],
  [[hi, stop, hi]],
  [[hi, result, allow, result, result]],
  [[once, once, { ...once, text: 'Pay' }]],
];

describe.each(['plain', 'cashier', 'guide', 'failing', 'shop', 'porter'] as const)(
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
        { examples, numRuns: 12 + examples.length },
      );
    });
  },
);
