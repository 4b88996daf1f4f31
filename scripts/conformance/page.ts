import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseModule, testTitlesIn } from '../testing/syntax.ts';
import { otherRules } from './other-rules.ts';
import { type Section, sections } from './sections.ts';

export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
/** The generated page, as a path in the repository. */
export const pagePath = 'docs/conformance.md';

const suite = 'e2e/conformance';
const decisionsPage = 'reference-decisions.md';

/** A rule of the service reference, and how it is tested. */
export interface Rule {
  /** Numbers of the rule (`4.1.2`) or of its section (`4.1`). A rule can be in several sections. */
  readonly numbers: readonly string[];
  readonly text: string;
  readonly state: string;
  /** Test files, as paths in the repository. */
  readonly files: readonly string[];
  readonly reason?: string;
}

/**
 * Reads the rules from the test titles of the conformance suite and from `other-rules.ts`.
 *
 * @throws {Error} For a test whose title does not start with the number of a rule, or has a placeholder.
 */
export function readRules(): Rule[] {
  const files = readdirSync(join(root, suite)).filter((file) => file.endsWith('.test.ts'));
  const tested = files.flatMap((file) => {
    const path = `${suite}/${file}`;
    return testTitlesIn(parseModule(join(root, path))).map((title) => {
      const [, numbers, text] = /^(\d[\d.]*(?:, \d[\d.]*)*) ([^%$]+)$/.exec(title) ?? [];
      if (numbers === undefined || text === undefined) {
        throw new Error(
          `${path}: “${title}” must start with the number of a rule, followed by its text without placeholders.`,
        );
      }
      return { numbers: numbers.split(', '), text, state: 'tested', files: [path] };
    });
  });
  return [...tested, ...otherRules.map(({ where = [], ...rule }) => ({ ...rule, files: where }))];
}

/** Returns the section of a rule: its number is the longest that is a prefix of the rule's number. */
export function sectionOf(number: string): Section | undefined {
  return sections
    .filter((section) => `${number}.`.startsWith(`${section.number}.`))
    .sort((a, b) => b.number.length - a.number.length)[0];
}

/** Creates the page of all rules, by section. */
export function createPage(rules: readonly Rule[]): string {
  const tested = rules.filter(({ state }) => state === 'tested').length;
  const decisions = readDecisions();
  const parts = sections.map((section) => {
    const rows = rules
      .flatMap((rule) => rule.numbers.map((number) => ({ ...rule, number })))
      .filter(({ number }) => sectionOf(number) === section)
      .sort((a, b) => compareNumbers(a.number, b.number))
      .map((rule) => `| ${rule.number} | ${rule.text} | ${describeState(rule)} |`);
    const decided = decisions.filter(({ numbers }) =>
      numbers.some((number) => sectionOf(number) === section),
    );
    return [
      `## ${section.number} ${section.title}`,
      '',
      '| number | rule | state |',
      '|---|---|---|',
      ...rows,
      ...(decided.length > 0
        ? ['', `Decisions: ${decided.map(({ link }) => link).join(', ')}.`]
        : []),
      '',
    ].join('\n');
  });
  return `# Conformance

The rules of the service reference by section, and how the platform keeps them. A rule is *tested* if a test of the
[conformance suite](../${suite}) checks it over HTTP against a real server: \`npx vitest run --project conformance\`. ${tested} of
${rules.length} rules are tested there. [Decisions](${decisionsPage}) fill in what the reference leaves open.

\`npm run conformance\` generates this page from the titles of the tests and from
[other-rules.ts](../scripts/conformance/other-rules.ts).

${parts.join('\n')}`;
}

function describeState({ state, files, reason }: Pick<Rule, 'state' | 'files' | 'reason'>): string {
  const fileName = (path: string) => path.split('/').at(-1);
  if (reason === undefined) return `[${state}](../${files[0]})`;
  const links = files.map((path) => `[${fileName(path)}](../${path})`).join(', ');
  return `${state}: ${reason}${links && ` (${links})`}`;
}

interface Decision {
  /** Numbers of the rules that the decision concerns. */
  readonly numbers: readonly string[];
  /** Markdown link to the table with the decision. */
  readonly link: string;
}

/** Reads the decisions from the tables of their page. */
function readDecisions(): Decision[] {
  const lines = readFileSync(join(root, 'docs', decisionsPage), 'utf8').split('\n');
  let anchor = '';
  return lines.flatMap((line) => {
    if (line.startsWith('## ')) anchor = line.slice(3).toLowerCase().replaceAll(' ', '-');
    const [, numbers, point] = /^\| (\d[\d.]*(?:, \d[\d.]*)*) ([^|]+?) \|/.exec(line) ?? [];
    if (numbers === undefined) return [];
    return [{ numbers: numbers.split(', '), link: `[${point}](${decisionsPage}#${anchor})` }];
  });
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
