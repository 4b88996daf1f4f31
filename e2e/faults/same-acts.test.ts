/**
 * Whatever a person does in a conversation, the scripted platform answers as the real server does:
 * the same statuses and codes, and the same log, event for event.
 */
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyActs, perform, toldStory } from './contract/acts.ts';
import { person } from './contract/person.ts';
import { type Platforms, realPlatforms, scriptedPlatforms } from './contract/targets.ts';

const real = await realPlatforms();
afterAll(() => real.close());

let people = 0;

describe.each(['plain', 'cashier', 'guide', 'failing', 'shop'] as const)(
  'with the agent %s',
  (agent) => {
    it('tells the same story after any acts', { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(anyActs, async (acts) => {
          people += 1;
          const tell = async (platforms: Platforms) => {
            const target = await platforms.target(agent);
            const ada = person(target, await target.issue(`walker-${people}`));
            const id = await ada.create();
            const answers: unknown[] = [];
            for (const act of acts) answers.push(await perform(act, ada, id));
            return { answers, log: toldStory(await ada.log(id)) };
          };
          expect(await tell(scriptedPlatforms())).toEqual(await tell(real));
        }),
        { numRuns: 12 },
      );
    });
  },
);
