import {
  codeAnswer,
  longAnswer,
  paragraphAnswer,
  rightToLeftAnswer,
  tableAnswer,
  tourAnswer,
} from './demo-answers.ts';
import { cardAnswers, documentAnswer } from './demo-documents.ts';
import type { ScriptStep, Voice } from './script.ts';

/** A scenario of the demo agent. */
export interface DemoScenario {
  /** Played if the user's message contains one of these words. The first match wins. */
  readonly keywords: readonly string[];
  /** Description in the list that the agent shows as help. */
  readonly description: string;
  readonly script: readonly ScriptStep[];
  /** Factor on the delay between fragments. */
  readonly delayFactor?: number;
  /** Follow-up suggestions, if the agent may show them. */
  readonly suggestions?: readonly string[];
}

/** All scenarios of the demo agent. */
export const demoScenarios: readonly DemoScenario[] = [
  {
    keywords: ['tour', 'markdown', 'rich'],
    description: 'an answer with everything that Markdown can do',
    script: [{ say: tourAnswer }],
    suggestions: ['Write some code', 'Show me a document with maths', 'Name your sources'],
  },
  {
    keywords: ['table'],
    description: 'a table',
    script: [{ say: tableAnswer }],
    suggestions: ['The same as a chart', 'What is the weather?'],
  },
  {
    keywords: ['code', 'snippet'],
    description: 'code in five languages',
    script: [{ say: codeAnswer }],
    suggestions: ['Show me a document with maths', 'A very long answer, please'],
  },
  {
    keywords: ['think', 'reason', 'puzzle'],
    description: 'thinking before the answer',
    script: [
      {
        think:
          'A bat and a ball cost 1.10 together, and the bat costs 1.00 more than the ball.\n\n' +
          'The tempting answer is 0.10. But then the bat would cost 1.10 and both together 1.20.\n\n' +
          'Let the ball cost x. Then x + (x + 1.00) = 1.10, so 2x = 0.10 and x = 0.05.',
      },
      {
        say: 'The ball costs **5 cents**, and the bat 1.05.\n\nThe quick answer, 10 cents, fails the check: the bat would then cost 1.10, and both together 1.20.',
      },
    ],
  },
  {
    keywords: ['weather', 'forecast', 'rain'],
    description: 'a tool of the server: `get_weather`',
    script: [
      { say: 'Let me look that up.' },
      { call: 'get_weather', input: { city: 'Lisbon' } },
      { say: 'In Lisbon it is {result}. Take sunglasses.', when: 'ok' },
      { say: 'I could not get the weather: {result}', when: 'error' },
    ],
    suggestions: ['How do you know? Name your sources', 'Invite Ada, please', 'Change my booking'],
  },
  {
    keywords: ['approve', 'approval', 'invite', 'invitation'],
    description: 'a tool that asks for your approval first: `send_invitation`',
    script: [
      { say: 'I will send the invitation. This needs your approval.' },
      { call: 'send_invitation', input: { to: 'ada@example.com', subject: 'Lunch on Friday' } },
      { say: 'Done. {result}', when: 'ok' },
      { say: 'All right, I have sent nothing.', when: 'error' },
    ],
  },
  {
    keywords: ['open', 'take me'],
    description: 'a tool with which the page around this chat goes somewhere: `open_page`',
    script: [
      { say: 'I will open it for you.' },
      { call: 'open_page', input: { path: '/bookings/V-4812', title: 'Booking V-4812' } },
      { say: 'There it is. {result}', when: 'ok' },
      { say: 'The page could not be opened: {result}', when: 'error' },
    ],
  },
  {
    keywords: ['sources', 'source', 'cite', 'citation', 'citations'],
    description: 'an answer that names its sources',
    script: [
      { say: 'High water comes about **every 12 hours and 25 minutes**, half a lunar day.' },
      {
        cite: {
          title: 'Tides and water levels',
          url: 'https://oceanservice.noaa.gov/education/tutorial_tides/',
          snippet: 'High tides occur 12 hours and 25 minutes apart.',
        },
      },
      { say: ' The greatest tides of all, up to 16 metres, are in the Bay of Fundy.' },
      {
        cite: {
          title: 'Bay of Fundy',
          url: 'https://en.wikipedia.org/wiki/Bay_of_Fundy',
          snippet: 'The bay is known for having the highest tidal range in the world.',
        },
      },
      { say: ' In this harbour, 3.1 metres were measured this morning.' },
      { cite: { title: 'The harbour master’s log', url: null, snippet: '06:12 HW 3.1 m' } },
    ],
    suggestions: ['Show me a document with maths'],
  },
  {
    keywords: ['document', 'maths', 'math', 'formula'],
    description: 'a document with maths, code, a table, footnotes and pictures',
    script: [{ say: documentAnswer }],
    suggestions: ['Name your sources', 'Some code, please'],
  },
  {
    keywords: ['form', 'booking', 'book'],
    description: 'a form to fill in',
    script: [
      { say: 'Gladly. Tell me what shall be different:' },
      { call: 'show_card', input: cardAnswers.form },
    ],
  },
  {
    keywords: ['choose', 'choice', 'list', 'trains'],
    description: 'a list to choose from',
    script: [{ say: 'These run tonight:' }, { call: 'show_card', input: cardAnswers.list }],
  },
  {
    keywords: ['chart', 'figures', 'card'],
    description: 'a card with a chart, a table and a picture',
    script: [
      { say: 'Here are the figures of half a year:' },
      { call: 'show_card', input: cardAnswers.chart },
    ],
  },
  {
    keywords: ['goodbye', 'bye'],
    description: 'the end of a conversation: `end_conversation`',
    script: [{ say: 'It was a pleasure. Goodbye!' }, { call: 'end_conversation', input: {} }],
  },
  {
    keywords: ['page', 'where am i'],
    description: 'a tool that the page around this chat runs: `get_page_info`',
    script: [
      { say: 'I will ask the page.' },
      { call: 'get_page_info', input: {} },
      { say: 'The page says:\n\n> {result}', when: 'ok' },
      { say: 'The page gave no answer: {result}', when: 'error' },
    ],
  },
  {
    keywords: ['fail', 'error', 'crash'],
    description: 'an answer that breaks off',
    script: [
      { say: 'I start well, but in the middle of this sentence' },
      { fail: 'the demo was asked to fail', retryable: true },
    ],
  },
  {
    keywords: ['slow'],
    description: 'a slow answer, with time to press stop',
    script: [{ say: paragraphAnswer }],
    delayFactor: 12,
  },
  { keywords: ['long'], description: 'a very long answer', script: [{ say: longAnswer }] },
  {
    keywords: ['rtl', 'arabic', 'hebrew', 'emoji'],
    description: 'right-to-left text and emoji',
    script: [{ say: rightToLeftAnswer }],
  },
];

/** Lists the scenarios, in response to a message that matches none of them. */
const helpScript = (scenarios: readonly DemoScenario[]): readonly ScriptStep[] => [
  {
    say: [
      'You said: “{text}”',
      'I am the demo agent. I run without a model, and answer by the words that I find in your message:',
      scenarios
        .map((scenario) => `- **${scenario.keywords[0]}**: ${scenario.description}`)
        .join('\n'),
    ].join('\n\n'),
  },
];

/** Response to a message with files that matches no scenario. */
const fileScript: readonly ScriptStep[] = [
  {
    say: 'Thank you. This has arrived:\n\n{files}\n\nI run without a model, so I can only say what it is called; a model gets what is in it.',
  },
];

/** Responses to the actions of the demo's cards. `action` is the start of the action's name. */
const cardScripts: readonly { action: string; script: readonly ScriptStep[] }[] = [
  {
    action: 'change_booking',
    script: [
      { say: 'Done: booking **V-4812** is changed.\n\n{values}\n\nYour ticket is on its way.' },
    ],
  },
  { action: 'keep_booking', script: [{ say: 'All right, everything stays as it is.' }] },
  { action: 'choose_', script: [{ say: 'A good choice. I have kept a berth for you.' }] },
];

/**
 * Returns the script of the first scenario that matches a message. Without a match, the script lists
 * the attached files, or the scenarios whose tools the agent has.
 */
export function demoScript(
  { text, files }: { readonly text: string; readonly files: readonly string[] },
  tools: readonly { readonly name: string }[],
  voice?: Voice,
): { script: readonly ScriptStep[]; delayFactor: number } {
  const cardScript = text.startsWith('[Answer to the card')
    ? cardScripts.find(({ action }) => text.includes(`"action":"${action}`))
    : undefined;
  if (cardScript) return { script: cardScript.script, delayFactor: 1 };
  const names = new Set(tools.map(({ name }) => name));
  const isAvailable = ({ script }: DemoScenario) =>
    script.every((step) => !('call' in step) || names.has(step.call));
  const scenario = findScenario(text);
  const fallbackScript = () =>
    files.length > 0 ? fileScript : helpScript(demoScenarios.filter(isAvailable));
  const script = applyVoice(scenario?.script ?? fallbackScript(), voice);
  const suggestions = (scenario?.suggestions ?? []).filter((suggestion) => {
    const next = findScenario(suggestion);
    return !next || isAvailable(next);
  });
  const maySuggest = suggestions.length > 0 && names.has('suggest_replies');
  return {
    script: maySuggest
      ? [...script, { call: 'suggest_replies', input: { prompts: suggestions } }]
      : script,
    delayFactor: scenario?.delayFactor ?? 1,
  };
}

function findScenario(text: string): DemoScenario | undefined {
  const normalized = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return demoScenarios.find(({ keywords }) =>
    keywords.some((word) => normalized.includes(` ${word} `)),
  );
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
