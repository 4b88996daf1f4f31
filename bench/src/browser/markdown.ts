import type { Figure } from '../lib/figure.ts';
import { atMost, type Row, toRow } from '../lib/row.ts';
import { longAnswer } from './answers.ts';
import type { MeasuredPage } from './measured-page.ts';
import { withPreparedPlatform } from './with-browser.ts';

/** Length of the whole text, and of a chunk that is appended to it, in characters. */
const whole = 100_000;
const piece = 25;
const pieces = 10;

const filled = (unit: string) => unit.repeat(Math.ceil(whole / unit.length)).slice(0, whole);

/** An ordinary answer, and adversarial texts that are meant to be slow. */
const texts: Readonly<Record<string, string>> = {
  'an ordinary answer': longAnswer(40_000).slice(0, whole),
  'one paragraph': filled('word '),
  'one right-to-left paragraph': filled('שלום '),
  'one word': filled('W'),
  'quotation marks': filled('>'),
  'open emphasis': filled('**a _b '),
  'formula brackets': filled('\\['),
  'mail addresses': filled('a@b.example,'),
  footnotes: filled('[^a]: '),
  'formulas in one paragraph': filled('$x^2$ and '),
  'blocks of code': filled('```js\nlet a = 1;\n```\n\n'),
  'a line of C#': `\`\`\`csharp\n${filled('int a ')}`,
};

/** CPU time for 100 kB of Markdown: rendered at once, and for the last chunks of a stream. */
export const markdown: Figure = {
  name: 'markdown',
  title: 'main thread for Markdown of 100 kB',
  take: ({ rounds }) =>
    withPreparedPlatform({ brief: { tokens: ['Yes.'], pace: null } }, async (onPage, setup) => ({
      rows: await onPage({ name: 'widget', setup: setup('brief') }, async (page) => {
        await page.page.evaluate(loadMarkdown);
        const rows: Row[] = [];
        for (const [name, text] of Object.entries(texts)) {
          rows.push(...(await rowsOf(page, name, text, Math.min(rounds, 3))));
        }
        return rows;
      }),
      notes: [
        `Processor time of all tasks of the main thread (\`TaskDuration\`), style and layout included. A piece is ${piece} characters at the end of the text; the slowest of ${pieces} counts.`,
      ],
    })),
};

async function rowsOf(
  { page, counters }: MeasuredPage,
  name: string,
  text: string,
  rounds: number,
): Promise<Row[]> {
  const timeOf = async (shown: string, streaming: boolean, isNew: boolean) => {
    const before = await counters();
    await page.evaluate(showMarkdown, { text: shown, streaming, isNew });
    return ((await counters()).task - before.task) * 1000;
  };
  const first: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    first.push(await timeOf(text, false, true));
    const start = text.length - pieces * piece;
    await timeOf(text.slice(0, start), true, true);
    const times: number[] = [];
    for (let end = start + piece; end <= text.length; end += piece) {
      times.push(await timeOf(text.slice(0, end), true, false));
    }
    slowest.push(Math.max(...times));
  }
  return [
    toRow({ what: `${name}: at once`, unit: 'ms', ours: first, target: atMost(300, 'ms') }),
    toRow({ what: `${name}: a piece`, unit: 'ms', ours: slowest, target: atMost(50, 'ms') }),
  ];
}

/** Runs in the page. Renders an answer, so that all lazy-loaded Markdown modules are loaded. */
async function loadMarkdown(): Promise<void> {
  await globalThis.contender.mount(globalThis.benchSetup);
  await globalThis.contender.ask('Tell me all.');
  globalThis.contender.unmount();
  await customElements.whenDefined('inlay-markdown');
}

/** Runs in the page. Shows a text in a new element, or in the existing one. */
async function showMarkdown({
  text,
  streaming,
  isNew,
}: {
  text: string;
  streaming: boolean;
  isNew: boolean;
}): Promise<void> {
  let element = document.querySelector('inlay-markdown');
  if (isNew || !element) {
    element?.remove();
    element = document.createElement('inlay-markdown');
  }
  element.text = text;
  element.streaming = streaming;
  // Appending the element again would cause a complete layout.
  if (!element.isConnected) document.body.append(element);
  await element.updateComplete;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
}
