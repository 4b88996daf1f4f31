import { readdirSync } from 'node:fs';
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

/** A rule of the API, and how it is tested. */
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
  const parts = sections.map((section) => {
    const own = rules
      .flatMap((rule) => rule.numbers.map((number) => ({ ...rule, number })))
      .filter(({ number }) => sectionOf(number) === section)
      .sort((a, b) => compareNumbers(a.number, b.number));
    const files = own.flatMap((rule) => (rule.reason === undefined ? rule.files : []));
    const tests = [...new Set(files)].map(linkTo).join(', ');
    return [
      `## ${section.number} ${section.title}`,
      '',
      ...own.map((rule) => `- **${rule.number}** ${rule.text}${describeState(rule)}`),
      ...(tests && ['', `Tests: ${tests}.`]),
      '',
    ].join('\n');
  });
  return `# Conformance

The rules of the agent-cloud API, which the platform implements, and how it keeps them. The specification of the API is not public:
this page has its rules in our own words, with the numbers by which code comments cite them (\`docs/conformance.md, 4.1\`).
The [conformance suite](../${suite}) tests ${tested} of ${rules.length} rules over HTTP against a real server:
\`npx vitest run --project conformance\`. [Decisions](${decisionsPage}) fill in what the specification leaves open.

\`npm run generate\` generates this page from the titles of the tests and from
[other-rules.ts](../scripts/conformance/other-rules.ts).

${parts.join('\n')}`;
}

const linkTo = (path: string) => `[${path.split('/').at(-1)}](../${path})`;

/** The state of a rule that the conformance suite does not test, with the reason and links to its tests. */
function describeState({ state, files, reason }: Pick<Rule, 'state' | 'files' | 'reason'>): string {
  if (reason === undefined) return '';
  return ` (*${state}*: ${[reason, ...files.map(linkTo)].join(', ')})`;
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
