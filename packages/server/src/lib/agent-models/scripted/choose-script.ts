import { builtInScenarios } from './scenarios.ts';
import type { Scenario, ScriptSettings, ScriptStep, Voice } from './script.ts';

/** Lists the scenarios, on request. */
const helpScript = (scenarios: readonly Scenario[]): readonly ScriptStep[] => [
  {
    say: [
      'I run without a model, and answer by the words that I find in your message:',
      scenarios
        .filter(({ keywords }) => keywords.length > 0 && !matchesAll(keywords))
        .map(({ keywords, description }) => `- **${keywords[0]}**: ${description}`)
        .join('\n'),
    ].join('\n\n'),
  },
];

/** Whether a scenario is for the messages that match no other one. */
const matchesAll = (keywords: readonly string[]) => keywords.includes('*');

/** Response to a message with files that matches no scenario. */
const fileScript: readonly ScriptStep[] = [
  {
    say: 'Thank you. This has arrived:\n\n{files}\n\nI run without a model, so I can only say what it is called; a model gets what is in it.',
  },
];

/**
 * Returns the script of the first scenario that matches a message. Without a match, the script lists the
 * attached files, or is that of the scenario for all other messages. The message `help` lists the scenarios
 * whose tools the agent has.
 */
export function chooseScript(
  { text, files }: { readonly text: string; readonly files: readonly string[] },
  tools: readonly { readonly name: string }[],
  { scenarios: configured = [], voice }: Pick<ScriptSettings, 'scenarios' | 'voice'>,
): { script: readonly ScriptStep[]; delayFactor: number } {
  const scenarios = [...configured, ...builtInScenarios];
  const answered = text.startsWith('[Answer to the card')
    ? scenarios.find((scenario) => isAnswerTo(scenario, text))
    : undefined;
  if (answered) return { script: answered.script, delayFactor: answered.delay_factor };
  const names = new Set(tools.map(({ name }) => name));
  const isAvailable = ({ script }: Scenario) =>
    script.every((step) => !('call' in step) || names.has(step.call));
  const isHelp = /^\W*help\W*$/i.test(text);
  const scenario = isHelp
    ? undefined
    : (findScenario(scenarios, text) ??
      (files.length > 0 ? undefined : scenarios.find(({ keywords }) => matchesAll(keywords))));
  const otherScript = () => (isHelp ? helpScript(scenarios.filter(isAvailable)) : fileScript);
  const script = applyVoice(scenario?.script ?? otherScript(), voice);
  const suggestions = (scenario?.suggestions ?? []).filter((suggestion) => {
    const next = findScenario(scenarios, suggestion);
    return !next || isAvailable(next);
  });
  const maySuggest = suggestions.length > 0 && names.has('suggest_replies');
  return {
    script: maySuggest
      ? [...script, { call: 'suggest_replies', input: { prompts: suggestions } }]
      : script,
    delayFactor: scenario?.delay_factor ?? 1,
  };
}

function findScenario(scenarios: readonly Scenario[], text: string): Scenario | undefined {
  const normalized = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return scenarios.find(({ keywords }) =>
    keywords.some((word) => normalized.includes(` ${word} `)),
  );
}

function isAnswerTo({ card_action: action }: Scenario, text: string): boolean {
  return action !== undefined && text.includes(`\n{"action":"${action}`);
}

function applyVoice(
  script: readonly ScriptStep[],
  voice: Voice | undefined,
): readonly ScriptStep[] {
  if (voice === 'thorough') {
    return [
      { think: 'They want it thorough. Let me look at it from more than one side.' },
      ...script,
    ];
  }
  if (voice !== 'brief') return script;
  return script.map((step) => ('say' in step ? { ...step, say: firstParagraph(step.say) } : step));
}

/** Returns the first paragraph that is not a heading. */
function firstParagraph(text: string): string {
  const paragraphs = text.split(/\n{2,}/);
  return paragraphs.find((paragraph) => !paragraph.startsWith('#')) ?? text;
}
