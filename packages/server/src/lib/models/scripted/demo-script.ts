import {
  codeAnswer,
  longAnswer,
  paragraphAnswer,
  rightToLeftAnswer,
  tableAnswer,
  tourAnswer,
} from './demo-answers.ts';
import type { ScriptStep } from './script.ts';

/** One thing that the demo agent can do. */
export interface DemoScene {
  /** It plays where the person's message holds one of these words. The first scene that fits wins. */
  readonly words: readonly string[];
  /** For the list that the agent shows when it is asked for help. */
  readonly shows: string;
  readonly script: readonly ScriptStep[];
  /** Factor on the delay between fragments. */
  readonly pace?: number;
}

/** Everything that the demo agent can do. A new scene is a new entry here. */
export const demoScenes: readonly DemoScene[] = [
  {
    words: ['tour', 'markdown', 'rich'],
    shows: 'an answer with everything that Markdown can do',
    script: [{ say: tourAnswer }],
  },
  { words: ['table'], shows: 'a table', script: [{ say: tableAnswer }] },
  {
    words: ['code', 'snippet'],
    shows: 'code in five languages',
    script: [{ say: codeAnswer }],
  },
  {
    words: ['think', 'reason', 'puzzle'],
    shows: 'thinking before the answer',
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
    words: ['weather', 'forecast', 'rain'],
    shows: 'a tool of the server: `get_weather`',
    script: [
      { say: 'Let me look that up.' },
      { call: 'get_weather', input: { city: 'Lisbon' } },
      { say: 'In Lisbon it is {result}. Take sunglasses.', when: 'ok' },
      { say: 'I could not get the weather: {result}', when: 'error' },
    ],
  },
  {
    words: ['approve', 'approval', 'invite', 'invitation'],
    shows: 'a tool that asks for your approval first: `send_invitation`',
    script: [
      { say: 'I will send the invitation. This needs your approval.' },
      { call: 'send_invitation', input: { to: 'ada@example.com', subject: 'Lunch on Friday' } },
      { say: 'Done. {result}', when: 'ok' },
      { say: 'All right, I have sent nothing.', when: 'error' },
    ],
  },
  {
    words: ['page', 'where am i'],
    shows: 'a tool that the page around this chat runs: `get_page_info`',
    script: [
      { say: 'I will ask the page.' },
      { call: 'get_page_info', input: {} },
      { say: 'The page says:\n\n> {result}', when: 'ok' },
      { say: 'The page gave no answer: {result}', when: 'error' },
    ],
  },
  {
    words: ['fail', 'error', 'crash'],
    shows: 'an answer that breaks off',
    script: [
      { say: 'I start well, but in the middle of this sentence' },
      { fail: 'the demo was asked to fail', retryable: false },
    ],
  },
  {
    words: ['slow'],
    shows: 'a slow answer, with time to press stop',
    script: [{ say: paragraphAnswer }],
    pace: 12,
  },
  { words: ['long'], shows: 'a very long answer', script: [{ say: longAnswer }] },
  {
    words: ['rtl', 'arabic', 'hebrew', 'emoji'],
    shows: 'right-to-left text and emoji',
    script: [{ say: rightToLeftAnswer }],
  },
];

/** For messages that no scene fits. It names the scenes, so that a person finds them. */
const helpScript: readonly ScriptStep[] = [
  {
    say: [
      'You said: “{text}”',
      'I am the demo agent. I run without a model, and answer by the words that I find in your message:',
      demoScenes.map((scene) => `- **${scene.words[0]}**: ${scene.shows}`).join('\n'),
    ].join('\n\n'),
  },
];

export function demoScript(text: string): { script: readonly ScriptStep[]; pace: number } {
  const said = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const scene = demoScenes.find(({ words }) => words.some((word) => said.includes(` ${word} `)));
  return { script: scene?.script ?? helpScript, pace: scene?.pace ?? 1 };
}
