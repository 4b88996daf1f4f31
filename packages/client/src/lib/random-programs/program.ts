import { actions } from './actions.ts';
import { checkEnd } from './final-checks.ts';
import { World } from './world.ts';

/** A sequence of actions, each with its `choice`. */
export type Program = readonly (readonly [action: string, choice: number])[];

/** Runs a program. Throws when a check fails after an action or at the end. */
export async function runProgram(program: Program): Promise<void> {
  const world = new World();
  for (const [name, choice] of program) {
    const action = actions[name];
    if (!action) throw new Error(`Unknown action “${name}”.`);
    await action(world, choice);
    await world.bed.clock.settle();
    world.check();
  }
  await checkEnd(world);
}
