/**
 * `npm run snapshots`: shows each state, compares it with its image in `images/`, and audits it in one
 * of the windows of [windows.ts](windows.ts), in rotation; `npm run axe` audits each state in all
 * windows. `-- -u` accepts the differences, `-- -g <text>` selects states by name.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { Gallery } from './gallery.ts';
import { describeMachine, differences, type Machine } from './machine.ts';
import type { State } from './state.ts';
import { states } from './states.ts';
import { windows } from './windows.ts';

const images = new URL('./images/', import.meta.url);
const machineFile = new URL('machine.json', images);

interface WorkerFixtures {
  readonly gallery: Gallery;
  readonly machine: Machine;
}

const test = base.extend<object, WorkerFixtures>({
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it.
    async ({}, use) => {
      const gallery = await Gallery.open();
      await use(gallery);
      await gallery.close();
    },
    { scope: 'worker' },
  ],
  machine: [async ({ gallery }, use) => use(await describeMachine(gallery)), { scope: 'worker' }],
});

const isUpdate = () => test.info().config.updateSnapshots === 'changed';

test('the images are those of the states', ({ machine }) => {
  const names = new Set(states.map(({ name }) => `${name}.png`));
  const orphans = readdirSync(images).filter((file) => file.endsWith('.png') && !names.has(file));
  if (isUpdate()) {
    for (const orphan of orphans) rmSync(new URL(orphan, images));
    writeFileSync(machineFile, `${JSON.stringify(machine, null, 2)}\n`);
    return;
  }
  const apart = differences(readMachine(), machine);
  if (apart.length > 0) {
    console.log(`Not comparable with the images in e2e/states/images: ${apart.join('; ')}.`);
    console.log('The states are audited, but not compared.');
  }

  expect(orphans, 'images of no state: npm run snapshots -- -u').toEqual([]);
});

for (const state of states) {
  test(state.name, async ({ gallery, machine }) => {
    const frame = await gallery.hang(state);
    try {
      await frame.show(state.name);
      if (isUpdate() || differences(readMachine(), machine).length === 0) {
        await expect.soft(frame.page).toHaveScreenshot(`${state.name}.png`);
      }

      expect(await frame.audit([windowOf(state)])).toEqual([]);
      expect(frame.problems).toEqual([]);
    } finally {
      await frame.close();
    }
  });
}

/** The window in which a state is audited, in rotation, so that one run covers all windows. */
function windowOf(state: State) {
  const names = Object.keys(windows) as (keyof typeof windows)[];
  return names[states.indexOf(state) % names.length] ?? '320 px';
}

function readMachine(): Machine {
  return JSON.parse(readFileSync(machineFile, 'utf8')) as Machine;
}
