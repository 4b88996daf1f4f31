import * as z from 'zod';
import { Scenario } from './script.ts';

const fence = '```';

const tourAnswer = `# A tour of what an answer can hold

A paragraph may have **bold**, *italic*, ~~struck~~ and \`inline code\`, and a [link to the standard](https://spec.commonmark.org/). Bare addresses such as https://example.com become links too.

## Lists, in lists

1. Plan
   - read the brief
   - ask *one* good question
2. Build
   - the smallest thing that works
     - and a test that can fail
3. Ship

### Tasks

- [x] Write the answer
- [x] Stream it
- [ ] Read it to the end

## A table

| Plan | Price | Seats | Support |
|:-----|------:|:-----:|:--------|
| Free | 0 | 1 | community |
| Team | 12 | 10 | e-mail |
| Company | 90 | *any* | phone, **24/7** |

## Code

${fence}ts
interface Greeting {
  readonly to: string;
}

export function greet({ to }: Greeting): string {
  return \`Hello, \${to}!\`; // a template literal
}
${fence}

> A quotation, with a list inside:
>
> - first
> - second
>
> > and another quotation within.

---

That was the tour. Ask for **code**, **think**, **weather** or **approve** to see more.
`;

const tableAnswer = `Here are the four seasons at a glance:

| Season | Months | Mean °C | Daylight | Typical |
|:-------|:-------|--------:|---------:|:--------|
| Spring | March to May | 12.4 | 13 h 10 m | blossom, *showers* |
| Summer | June to August | 21.9 | 15 h 40 m | thunderstorms |
| Autumn | September to November | 13.1 | 11 h 05 m | fog, **storms** |
| Winter | December to February | 3.2 | 8 h 50 m | frost, \`< 0 °C\` at night |

The figures are invented, but the columns are aligned.
`;

const codeAnswer = `The same thing, reading a file line by line, in two languages.

**Python**

${fence}python
from pathlib import Path

def lines(path: str) -> list[str]:
    """Every line that says something."""
    return [line for line in Path(path).read_text().splitlines() if line.strip()]
${fence}

**Rust**

${fence}rust
use std::{fs::File, io::{self, BufRead, BufReader}};

fn lines(path: &str) -> io::Result<Vec<String>> {
    BufReader::new(File::open(path)?).lines().collect()
}
${fence}
`;

const paragraphAnswer = `Slow and steady. A tide comes in without a sound: first the sand darkens, then the low stones shine, and before anyone has looked up the boats that lay on their sides are afloat again. Nothing about it is hurried, and nothing can hold it up.

You may press stop at any time. What I have said until then stays.
`;

/** Scenarios of every scripted agent without a `script`. Scenarios of the configuration are tried first. */
export const builtInScenarios: readonly Scenario[] = z.array(Scenario).parse([
  {
    keywords: ['tour', 'markdown', 'rich'],
    description: 'an answer with everything that Markdown can do',
    script: [{ say: tourAnswer }],
    suggestions: ['Write some code', 'What is the weather?'],
  },
  {
    keywords: ['table'],
    description: 'a table',
    script: [{ say: tableAnswer }],
    suggestions: ['Write some code', 'What is the weather?'],
  },
  {
    keywords: ['code', 'snippet'],
    description: 'code in two languages',
    script: [{ say: codeAnswer }],
    suggestions: ['A table, please', 'Think about a puzzle'],
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
      { call: 'get_weather', input: { city: '{place}' } },
      { say: 'In {place} it is {result}. Take sunglasses.', when: 'ok' },
      { say: 'I could not get the weather: {result}', when: 'error' },
    ],
    suggestions: ['Invite Ada, please', 'A table, please'],
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
    delay_factor: 12,
  },
  {
    keywords: ['*'],
    script: [
      {
        say: `You said: “{text}”

I am a script, without a language model, and have no answer to that. I recognise some words, such as **weather**, **table** and **invite**; **help** lists them all.

To talk with a model, restart the platform with its address and name, here for [Ollama](https://ollama.com):

${fence}sh
INLAY_MODEL_BASE_URL=http://localhost:11434/v1
INLAY_MODEL=llama3.2
${fence}
`,
      },
    ],
    suggestions: ['What is the weather in Vienna?', 'A table, please', 'Help'],
  },
]);
