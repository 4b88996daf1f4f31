/**
 * `node scripts/with-browser.mjs tsx e2e/states/axe.ts`: audits every state in light and dark colours, with increased contrast, in forced
 * colours and with touch input, in four windows. Also audits every state in the demo's six themes, in
 * the two smallest windows. Writes `test-results/axe.md`, and fails if there are findings. `-- --quick` audits light colours in
 * the two phone widths, `-- --look <text>` (repeatable) selects looks by name, such as `dark` or `bank`,
 * and `-- --only <text>` selects states by name.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { forEachConcurrently } from './for-each-concurrently.ts';
import type { Setting, State } from './state.ts';
import { StateBrowser, type StatePage } from './state-browser.ts';
import { states } from './states.ts';
import { windows } from './windows.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    look: { type: 'string', multiple: true, default: [''] },
    quick: { type: 'boolean', default: false },
  },
});

const themes = ['bank', 'museum', 'developer', 'fashion', 'hospital', 'outdoor'];

const allLooks: Readonly<Record<string, Setting>> = {
  light: { scheme: 'light' },
  dark: { scheme: 'dark' },
  'more contrast': { contrast: 'more' },
  'forced colours': { contrast: 'forced' },
  ...Object.fromEntries(
    themes.flatMap((theme): [string, Setting][] => [
      [`${theme} by day`, { theme }],
      [`${theme} by night`, { theme, scheme: 'dark' }],
    ]),
  ),
  touch: { touch: true },
};

const looks = Object.fromEntries(
  Object.entries(allLooks).filter(([name]) =>
    options.quick ? name === 'light' : options.look.some((text) => name.includes(text)),
  ),
);

if (Object.keys(looks).length === 0) {
  const lookNames = Object.keys(allLooks).join(', ');
  console.error(`No look has “${options.look.join('” or “')}” in its name: ${lookNames}.`);
  process.exit(1);
}

const windowNames = (Object.keys(windows) as (keyof typeof windows)[]).filter(
  (name) => !options.quick || /^3/.test(name),
);
const smallestWindows = windowNames.filter(
  (name) => name === '320 px' || name === '1280 px at 200 %',
);

const resultsFolder = process.env.INLAY_TEST_RESULTS ?? 'test-results';

const audited = withoutDuplicates(states.filter(({ name }) => name.includes(options.only)));
if (audited.length === 0) {
  console.error(`No state has “${options.only}” in its name. See e2e/states/states.ts.`);
  process.exit(1);
}

// Colours can be changed on an open page; touch input needs a separate page.
const lookGroups = [false, true].map((touch) =>
  Object.keys(looks).filter((look) => (looks[look]?.touch ?? false) === touch),
);
const tasks = audited.flatMap((state) => lookGroups.map((group) => ({ state, group })));
const findings: string[] = [];
const counts = { passed: 0, failed: 0 };
let done = 0;

const stateBrowser = await StateBrowser.open();
await forEachConcurrently(tasks, 2, async ({ state, group }) => {
  let statePage: StatePage | null = null;
  for (const look of group) {
    const setting = { ...settingOf(state), ...looks[look] };
    try {
      if (statePage) await statePage.setAppearance(setting);
      else {
        statePage = await stateBrowser.openPage(setting);
        await statePage.show(state.name);
      }
      const lines = await statePage.audit(setting.theme ? smallestWindows : windowNames);
      lines.push(...statePage.problems.splice(0));
      counts[lines.length === 0 ? 'passed' : 'failed'] += 1;
      findings.push(...lines.map((each) => `${state.name}, ${look}, ${each}`));
      if (statePage.isUnchanged) continue;
    } catch (error) {
      counts.failed += 1;
      findings.push(`${state.name}, ${look}: ${(error as Error).message}`);
    }
    await statePage?.close();
    statePage = null;
  }
  await statePage?.close();
  done += 1;
  if (done % 20 === 0)
    console.log(`${done} of ${tasks.length}: ${findings.length} findings so far`);
});
await stateBrowser.close();

findings.sort();
mkdirSync(resultsFolder, { recursive: true });
writeFileSync(`${resultsFolder}/axe.md`, report());
if (process.env.INLAY_TEST_RESULTS)
  writeFileSync(`${resultsFolder}/axe.json`, JSON.stringify(counts));
for (const finding of findings) console.log(`✘ ${finding}`);
console.log(`${counts.passed} of ${counts.passed + counts.failed} audits without findings`);
process.exit(counts.failed === 0 ? 0 : 1);

/** Settings of a state that do not depend on the look. */
function settingOf({ size = 'phone', dir = 'ltr', lang = 'en' }: State): Setting {
  return { size, dir, lang };
}

/**
 * Keeps one of the states that have the same steps and text direction. They differ only in other
 * settings, most of which the audit varies itself, such as the window size.
 */
function withoutDuplicates(all: readonly State[]): State[] {
  const known = new Map<unknown, Set<string>>();
  return all.filter(({ show, dir = 'ltr' }) => {
    const dirs = known.get(show) ?? new Set();
    known.set(show, dirs);
    if (dirs.has(dir)) return false;
    dirs.add(dir);
    return true;
  });
}

function report(): string {
  const rows = audited.map(({ name }) => {
    const cells = Object.keys(looks).map((look) => {
      const count = findings.filter((each) => each.startsWith(`${name}, ${look}`)).length;
      return count === 0 ? 'none' : String(count);
    });
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  return [
    '# Accessibility of every state\n',
    `Chromium ${stateBrowser.version}; axe-core, WCAG 2.2 A and AA; each in ${windowNames.join(', ')}; themes in ${smallestWindows.join(', ')}.`,
    'The audits also check that nothing requires horizontal scrolling (1.4.10), that targets are at least 24 px large, or',
    '44 px with a touch screen (2.5.8), that the Tab key reaches visible elements in their visual order (2.4.3, 2.4.11),',
    'that wider text spacing cuts nothing off (1.4.12), and that nothing moves if the user prefers reduced motion.\n',
    `| state | ${Object.keys(looks).join(' | ')} |`,
    `|---|${Object.keys(looks)
      .map(() => '---|')
      .join('')}`,
    ...rows,
    '\n## Findings\n',
    findings.length === 0 ? 'None.' : findings.map((each) => `- ${each}`).join('\n'),
    '',
  ].join('\n');
}
