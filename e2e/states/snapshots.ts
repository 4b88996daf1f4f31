/**
 * `npm run snapshots`: brings the widget into every state once, compares its image with the one in
 * `images/`, and audits it in one of the windows of [windows.ts](windows.ts), by turns; `npm run axe`
 * does so in all of them. `-- --update` takes new images instead, `-- --only <text>` looks at states
 * whose name has it in it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { each } from './each.ts';
import { Gallery } from './gallery.ts';
import { differenceOf, keepImage } from './image.ts';
import { describeMachine, differences, type Machine } from './machine.ts';
import type { State } from './state.ts';
import { states } from './states.ts';
import { windows } from './windows.ts';

const images = new URL('./images/', import.meta.url);
const results = process.env.INLAY_TEST_RESULTS ?? 'test-results';
const differing = `${results}/snapshots`;

const { values: options } = parseArgs({
  options: { update: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});

rmSync(differing, { recursive: true, force: true });
mkdirSync(differing, { recursive: true });
mkdirSync(images, { recursive: true });

const gallery = await Gallery.open();
const machine = await describeMachine(gallery);
const apart = options.update ? [] : differences(readMachine(), machine);
const counts = { passed: 0, failed: 0 };
const failures: { file: string; title: string; message: string }[] = [];
const wanted = states.filter(({ name }) => name.includes(options.only));

if (apart.length > 0) {
  console.log(`Not comparable with the images in e2e/states/images: ${apart.join('; ')}.`);
  console.log('So every state is audited, and none is compared.');
}
await each(wanted, 2, async (state) => {
  const problems = await look(state).catch((error: Error) => [error.message]);
  counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
  for (const problem of problems) {
    console.log(`✘ ${state.name}: ${problem}`);
    failures.push({ file: 'e2e/states/states.ts', title: state.name, message: problem });
  }
});
await gallery.close();
for (const name of orphans()) {
  if (options.update) rmSync(new URL(name, images));
  else {
    counts.failed += 1;
    const message = 'the image of no state: npm run snapshots -- --update';
    console.log(`✘ ${name}: ${message}`);
    failures.push({ file: `e2e/states/images/${name}`, title: '', message });
  }
}
if (options.update && options.only === '')
  writeFileSync(new URL('machine.json', images), `${json(machine)}\n`);
if (process.env.INLAY_TEST_RESULTS)
  writeFileSync(`${results}/snapshots.json`, json({ ...counts, failures }));
const how = options.update ? 'taken' : apart.length > 0 ? 'audited' : 'compared and audited';
console.log(`${counts.passed} of ${counts.passed + counts.failed} states ${how}`);
process.exit(counts.failed === 0 ? 0 : 1);

/** What is wrong with a state, in words. */
async function look(state: State): Promise<string[]> {
  const frame = await gallery.hang(state);
  try {
    await frame.show(state.name);
    const picture = await frame.picture();
    const file = new URL(`${state.name}.png`, images);
    const difference =
      apart.length === 0 ? differenceOf(picture, file, `${differing}/${state.name}`) : null;
    if (options.update) {
      // What nobody could tell from the image that there is would only be noise in the history.
      if (difference) keepImage(picture, file);
      return frame.problems;
    }
    const found = await frame.audit([windowOf(state)]);
    return [...(difference ? [difference] : []), ...found, ...frame.problems];
  } catch (error) {
    await frame.page.screenshot({ path: `${differing}/${state.name}.actual.png` });
    throw error;
  } finally {
    await frame.close();
  }
}

/** Each state has its own, so that one pass meets all of them. */
function windowOf(state: State) {
  const names = Object.keys(windows) as (keyof typeof windows)[];
  return names[states.indexOf(state) % names.length] ?? '320 px';
}

function readMachine(): Machine {
  return JSON.parse(readFileSync(new URL('machine.json', images), 'utf8')) as Machine;
}

function orphans(): string[] {
  const known = new Set(states.map(({ name }) => `${name}.png`));
  return readdirSync(images).filter((name) => name.endsWith('.png') && !known.has(name));
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
