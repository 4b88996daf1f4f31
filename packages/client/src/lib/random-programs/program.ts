import fc from 'fast-check';
import { actions } from './actions.ts';
import { type OpenEnvironment, openScripted } from './environment.ts';
import { checkEnd } from './final-checks.ts';
import { World } from './world.ts';

/** A sequence of actions, each with its `choice`. */
export type Program = readonly (readonly [action: string, choice: number])[];

/** Runs a program. Throws when a check fails after an action or at the end. */
export async function runProgram(
  program: Program,
  openEnvironment: OpenEnvironment = openScripted,
): Promise<void> {
  const world = new World(openEnvironment);
  for (const [name, choice] of program) {
    const action = actions[name];
    const extraAction = world.extraActions[name];
    if (action) await action(world, choice);
    else if (extraAction) await extraAction(choice);
    else throw new Error(`Unknown action “${name}”.`);
    await world.bed.clock.settle();
    await world.check();
  }
  await checkEnd(world);
}

/** Actions that are generated more often. */
const frequentActions = [
  'send',
  'send',
  'send',
  'wait',
  'wait',
  'wait',
  'open a session',
  'reload',
];

/** @param extraActions Names of further actions, of an environment. */
export function arbitraryProgram(extraActions: readonly string[] = []): fc.Arbitrary<Program> {
  const action = fc.constantFrom(...Object.keys(actions), ...frequentActions, ...extraActions);
  return fc.array(fc.tuple(action, fc.nat(11)), { maxLength: 40, size: 'max' });
}
