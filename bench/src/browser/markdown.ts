import type { Figure } from '../lib/figure.ts';
import { atMostOrFloor, type Row, toRow } from '../lib/row.ts';
import { longAnswer } from './answers.ts';
import type { MeasuredPage } from './measured-page.ts';
import { withPreparedPlatform } from './with-browser.ts';

/** Length of the whole text, and of a chunk that is appended to it, in characters. */
const whole = 100_000;
const piece = 25;
const pieces = 10;

const filled = (unit: string) => unit.repeat(Math.ceil(whole / unit.length)).slice(0, whole);

interface Text {
  text: string;
  /** HTML that a browser shows for it without any script, and the HTML of one more piece. */
  bare?: { html: string; piece: string };
}

/** A paragraph of one repeated unit, with the HTML that shows the same in a bare page. */
function paragraph(unit: string, html = unit): Text {
  const count = Math.ceil(whole / unit.length);
  return {
    text: filled(unit),
    bare: {
      html: `<p dir="auto">${html.repeat(count)}</p>`,
      piece: html.repeat(Math.ceil(piece / unit.length)),
    },
  };
}

const block = {
  markdown: '```js\nlet a = 1;\n```\n\n',
  html: '<pre><code>let a = 1;</code></pre>',
};
const link = '<a href="mailto:a@b.example" style="unicode-bidi: isolate">a@b.example</a>,';
const square = '<math><msup><mi>x</mi><mn>2</mn></msup></math> and ';

/** An ordinary answer, and adversarial texts that are meant to be slow. */
const texts: Readonly<Record<string, Text>> = {
  'an ordinary answer': { text: longAnswer(40_000).slice(0, whole) },
  'one paragraph': paragraph('word '),
  'one right-to-left paragraph': paragraph('שלום '),
  'one word': paragraph('W'),
  'quotation marks': { text: filled('>') },
  'open emphasis': { text: filled('**a _b ') },
  'formula brackets': { text: filled('\\[') },
  'mail addresses': paragraph('a@b.example,', link),
  footnotes: { text: filled('[^a]: ') },
  'formulas in one paragraph': paragraph('$x^2$ and ', square),
  'blocks of code': {
    text: filled(block.markdown),
    bare: {
      html: block.html.repeat(Math.ceil(whole / block.markdown.length)),
      piece: block.html,
    },
  },
  'a line of C#': { text: `\`\`\`csharp\n${filled('int a ')}` },
};

/** CPU time for 100 kB of Markdown: rendered at once, and for the last chunks of a stream. */
export const markdown: Figure = {
  name: 'markdown',
  title: 'main thread for Markdown of 100 kB',
  take: ({ rounds }) =>
    withPreparedPlatform({ brief: { tokens: ['Yes.'], pace: null } }, async (onPage, setup) => {
      const rows: Row[] = [];
      for (const [name, text] of Object.entries(texts)) {
        await onPage({ name: 'widget', setup: setup('brief') }, async (page) => {
          await page.page.evaluate(loadMarkdown);
          rows.push(...(await rowsOf(page, name, text, Math.min(rounds, 3))));
        });
      }
      return {
        rows,
        notes: [
          `Processor time of all tasks of the main thread (\`TaskDuration\`), style and layout included. A piece is ${piece} characters at the end of the text; the slowest of ${pieces} counts. The floor is the HTML of the same text in the same page, set without a parser; links isolate their direction in both.`,
        ],
      };
    }),
};

async function rowsOf(
  { page, counters }: MeasuredPage,
  name: string,
  { text, bare }: Text,
  rounds: number,
): Promise<Row[]> {
  const taskTime = async (act: () => Promise<void>) => {
    const before = await counters();
    await act();
    return ((await counters()).task - before.task) * 1000;
  };
  const timeOf = (shown: string, streaming: boolean, isNew: boolean) =>
    taskTime(() => page.evaluate(showMarkdown, { text: shown, streaming, isNew }));
  const timeOfBare = (html: string, isNew: boolean) =>
    taskTime(() => page.evaluate(showHtml, { html, isNew }));
  const first: number[] = [];
  const slowest: number[] = [];
  const bareFirst: number[] = [];
  const bareSlowest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(() => document.querySelector('#bare')?.remove());
    first.push(await timeOf(text, false, true));
    const start = text.length - pieces * piece;
    await timeOf(text.slice(0, start), true, true);
    const times: number[] = [];
    for (let end = start + piece; end <= text.length; end += piece) {
      times.push(await timeOf(text.slice(0, end), true, false));
    }
    slowest.push(Math.max(...times));
    if (!bare) continue;
    await page.evaluate(() => document.querySelector('inlay-markdown')?.remove());
    bareFirst.push(await timeOfBare(bare.html, true));
    const bareTimes: number[] = [];
    for (let index = 0; index < pieces; index += 1) {
      bareTimes.push(await timeOfBare(bare.piece, false));
    }
    bareSlowest.push(Math.max(...bareTimes));
  }
  const row = (what: string, ours: number[], floor: number[], limit: number) =>
    toRow({
      what: `${name}: ${what}`,
      unit: 'ms',
      ours,
      ...(bare && { floor }),
      target: atMostOrFloor(limit, 'ms', 1.3),
    });
  return [row('at once', first, bareFirst, 300), row('a piece', slowest, bareSlowest, 50)];
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

/** Runs in the page. Shows HTML in a new element, or appends it to the last paragraph or block. */
async function showHtml({ html, isNew }: { html: string; isNew: boolean }): Promise<void> {
  if (isNew) {
    const element = document.createElement('div');
    element.id = 'bare';
    element.style.overflowWrap = 'anywhere';
    element.innerHTML = html;
    document.body.append(element);
  } else {
    const bare = document.querySelector('#bare');
    const target = bare?.querySelector('p') ?? bare;
    const last = target?.lastChild;
    if (last instanceof Text && !html.includes('<')) last.data += html;
    else target?.insertAdjacentHTML('beforeend', html);
  }
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
}
