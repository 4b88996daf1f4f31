/** Texts of the demo agent, in Markdown. */

const fence = '```';

export const tourAnswer = `# A tour of what an answer can hold

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

That was the tour. Ask for **code**, **think**, **weather**, **approve** or **page** to see more.
`;

export const tableAnswer = `Here are the four seasons at a glance:

| Season | Months | Mean °C | Daylight | Typical |
|:-------|:-------|--------:|---------:|:--------|
| Spring | March to May | 12.4 | 13 h 10 m | blossom, *showers* |
| Summer | June to August | 21.9 | 15 h 40 m | thunderstorms |
| Autumn | September to November | 13.1 | 11 h 05 m | fog, **storms** |
| Winter | December to February | 3.2 | 8 h 50 m | frost, \`< 0 °C\` at night |

The figures are invented, but the columns are aligned.
`;

export const codeAnswer = `The same thing, reading a file line by line, in five languages.

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

**SQL**

${fence}sql
SELECT line_number, text
FROM lines
WHERE path = 'notes.txt' AND length(trim(text)) > 0
ORDER BY line_number;
${fence}

**Bash**

${fence}bash
while IFS= read -r line; do
  [[ -n "$line" ]] && printf '%s\\n' "$line"
done < "$1"
${fence}

**JSON**, for what comes out

${fence}json
{ "path": "notes.txt", "lines": ["first", "second"], "complete": true }
${fence}
`;

export const paragraphAnswer = `Slow and steady. A tide comes in without a sound: first the sand darkens, then the low stones shine, and before anyone has looked up the boats that lay on their sides are afloat again. Nothing about it is hurried, and nothing can hold it up.

You may press stop at any time. What I have said until then stays.
`;

export const rightToLeftAnswer = `## العربية

مرحبًا! هذا **نص عربي** يُكتب من اليمين إلى اليسار، وفيه رقم 42 وكلمة English في وسطه.

1. أولًا
2. ثانيًا

## עברית

שלום! זהו *טקסט בעברית*, עם קוד: \`npm start\`.

## Emoji

Faces 😀😅🥲, a family 👨‍👩‍👧‍👦, a flag 🇵🇹, a skin tone 👋🏽, and accents built of two characters: e\u0301, n\u0303.
`;

const chapters = [
  'How it begins',
  'What the numbers say',
  'Where it goes wrong',
  'What others do',
  'What follows from it',
];

const sentences = [
  'Every measurement has a **floor** beside it, because a number alone says little.',
  'A reader remembers the first line, so the first line carries the answer.',
  'What can be left out is left out; what remains is said once, *in plain words*.',
  'When two explanations fit, the one that can be tested comes first.',
  'The exception is written down where the rule is, not in a note at the end.',
  'A list helps where things are alike, and hurts where they lead from one to the next.',
];

export const longAnswer = chapters
  .map((chapter, index) => {
    const paragraphs = Array.from({ length: 12 }, (_, paragraph) =>
      sentences
        .map((_, position) => sentences[(position + paragraph + index) % sentences.length])
        .join(' '),
    );
    const list = sentences.map((sentence) => `- ${sentence}`).join('\n');
    return `## ${index + 1}. ${chapter}\n\n${paragraphs.join('\n\n')}\n\n${list}\n`;
  })
  .join('\n');
