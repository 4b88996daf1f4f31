import { acts } from './acts.ts';
import { end } from './ending.ts';
import { World } from './world.ts';

/** What happens, one thing after the other: the name of an act, and its choice. */
export type Program = readonly (readonly [act: string, choice: number])[];

/**
 * Lets everything happen, then puts an end to all trouble. Throws where something was not as it must
 * be: at any moment, or in the end.
 */
export async function run(program: Program): Promise<void> {
  const world = new World();
  for (const [name, choice] of program) {
    const act = acts[name];
    if (!act) throw new Error(`There is no act “${name}”.`);
    await act(world, choice);
    await world.bed.clock.settle();
    world.look();
  }
  await end(world);
}
