/**
 * `npm run test:e2e -- --config e2e/states`: shows each state, compares it with its image in `images/`, and audits it in one
 * of the windows of [windows.ts](windows.ts), in rotation; `axe.ts` audits each state in all
 * windows. `-u` accepts the differences, `-g <text>` selects states by name.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { describeMachine, differences, type Machine } from './machine.ts';
import type { State } from './state.ts';
import { StateBrowser } from './state-browser.ts';
import { states } from './states.ts';
import { windows } from './windows.ts';

const images = new URL('./images/', import.meta.url);
const machineFile = new URL('machine.json', images);

interface WorkerFixtures {
  readonly stateBrowser: StateBrowser;
  readonly machine: Machine;
}

const test = base.extend<object, WorkerFixtures>({
  stateBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it.
    async ({}, use) => {
      const stateBrowser = await StateBrowser.open();
      await use(stateBrowser);
      await stateBrowser.close();
    },
    { scope: 'worker' },
  ],
  machine: [
    async ({ stateBrowser }, use) => use(await describeMachine(stateBrowser)),
    { scope: 'worker' },
  ],
});

const isUpdate = () => test.info().config.updateSnapshots === 'changed';

test('each image belongs to a state', ({ machine }) => {
  const names = new Set(states.map(({ name }) => `${name}.png`));
  const orphans = readdirSync(images).filter((file) => file.endsWith('.png') && !names.has(file));
  if (isUpdate()) {
    for (const orphan of orphans) rmSync(new URL(orphan, images));
    writeFileSync(machineFile, `${JSON.stringify(machine, null, 2)}\n`);
    return;
  }
  const machineDifferences = differences(readMachine(), machine);
  if (machineDifferences.length > 0) {
    console.log(
      `Not comparable with the images in e2e/states/images: ${machineDifferences.join('; ')}.`,
    );
    console.log('The states are audited, but not compared.');
  }

  expect(orphans, 'images of no state: accept the images with -u').toEqual([]);
});

for (const state of states) {
  test(state.name, async ({ stateBrowser, machine }) => {
    const statePage = await stateBrowser.openPage(state);
    try {
      await statePage.show(state.name);
      if (isUpdate() || differences(readMachine(), machine).length === 0) {
        await expect.soft(statePage.page).toHaveScreenshot(`${state.name}.png`);
      }

      expect(await statePage.audit([windowOf(state)])).toEqual([]);
      expect(statePage.problems).toEqual([]);
    } finally {
      await statePage.close();
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
