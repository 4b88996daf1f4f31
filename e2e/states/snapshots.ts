/**
 * `npm run snapshots`: brings the widget into every state and compares its image with the one in
 * `images/`. `-- --update` takes new ones, `-- --only <text>` looks at those whose name has it in it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { each } from './each.ts';
import { Gallery } from './gallery.ts';
import { describeMachine, differences, type Machine } from './machine.ts';
import type { State } from './state.ts';
import { states } from './states.ts';

const images = new URL('./images/', import.meta.url);
const results = process.env.INLAY_TEST_RESULTS ?? 'test-results';
const differing = `${results}/snapshots`;

/** So many pixels may differ: the edge of a letter, never a letter. */
const tolerated = 20;

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
const wanted = states.filter(({ name }) => name.includes(options.only));

if (apart.length > 0) {
  console.log(`Not comparable with the images in e2e/states/images: ${apart.join('; ')}.`);
  console.log('So every state is brought up, and none is compared.');
}
await each(wanted, 2, async (state) => {
  const problems = await look(state).catch((error: Error) => [error.message]);
  counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
  for (const problem of problems) console.log(`✘ ${state.name}: ${problem}`);
});
await gallery.close();
for (const name of orphans()) {
  if (options.update) rmSync(new URL(name, images));
  else {
    counts.failed += 1;
    console.log(`✘ ${name} is the image of no state: npm run snapshots -- --update`);
  }
}
if (options.update && options.only === '')
  writeFileSync(new URL('machine.json', images), `${json(machine)}\n`);
if (process.env.INLAY_TEST_RESULTS) writeFileSync(`${results}/snapshots.json`, json(counts));
const how = options.update ? 'taken' : apart.length > 0 ? 'brought up' : 'compared';
console.log(`${counts.passed} of ${counts.passed + counts.failed} states ${how}`);
process.exit(counts.failed === 0 ? 0 : 1);

/** What is wrong with a state, in words. */
async function look(state: State): Promise<string[]> {
  const frame = await gallery.hang(state);
  try {
    await frame.show(state.name);
    const picture = await frame.picture();
    const file = new URL(`${state.name}.png`, images);
    if (options.update) writeFileSync(file, smallest(picture));
    else if (apart.length === 0) compare(state.name, picture, file, frame.problems);
    return frame.problems;
  } catch (error) {
    await frame.page.screenshot({ path: `${differing}/${state.name}.actual.png` });
    throw error;
  } finally {
    await frame.close();
  }
}

function compare(name: string, picture: Buffer, file: URL, problems: string[]): void {
  const actual = PNG.sync.read(picture);
  const expected = readImage(file);
  if (!expected) {
    problems.push('it has no image: npm run snapshots -- --update');
    return;
  }
  const { width, height } = actual;
  const sameSize = expected.width === width && expected.height === height;
  const diff = new PNG({ width, height });
  const pixels = sameSize
    ? pixelmatch(expected.data, actual.data, diff.data, width, height, { threshold: 0.1 })
    : width * height;
  if (pixels <= tolerated) return;
  writeFileSync(`${differing}/${name}.actual.png`, picture);
  writeFileSync(`${differing}/${name}.expected.png`, readFileSync(file));
  if (sameSize) writeFileSync(`${differing}/${name}.diff.png`, PNG.sync.write(diff));
  problems.push(`${pixels} pixels differ: see ${differing}/${name}.*.png`);
}

function readImage(file: URL): PNG | null {
  try {
    return PNG.sync.read(readFileSync(file));
  } catch {
    return null;
  }
}

function readMachine(): Machine {
  return JSON.parse(readFileSync(new URL('machine.json', images), 'utf8')) as Machine;
}

function orphans(): string[] {
  const known = new Set(states.map(({ name }) => `${name}.png`));
  return readdirSync(images).filter((name) => name.endsWith('.png') && !known.has(name));
}

/** No transparency: three bytes a pixel instead of four, before they are packed. */
function smallest(picture: Buffer): Buffer {
  return PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9 });
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
