import type { Benchmark } from '../lib/benchmark.ts';
import { atMostOrRatio, type Row, toRow } from '../lib/row.ts';
import { longAnswer } from './answers.ts';
import { loadMarkdown } from './load-markdown.ts';
import type { MeasuredPage } from './measured-page.ts';
import { withPreparedPlatform } from './with-browser.ts';

/** Length of the whole text, and of each appended chunk, in characters. */
const textLength = 100_000;
const chunkLength = 25;
const chunkCount = 10;

const fill = (unit: string) =>
  unit.repeat(Math.ceil(textLength / unit.length)).slice(0, textLength);

interface MarkdownSample {
  text: string;
  /** Equivalent static HTML: of the whole text, and of one appended chunk. */
  baseline?: { html: string; chunk: string };
}

/** Creates a paragraph of one repeated unit, with the equivalent HTML. */
function paragraph(unit: string, html = unit): MarkdownSample {
  const count = Math.ceil(textLength / unit.length);
  return {
    text: fill(unit),
    baseline: {
      html: `<p dir="auto">${html.repeat(count)}</p>`,
      chunk: html.repeat(Math.ceil(chunkLength / unit.length)),
    },
  };
}

const block = {
  markdown: '```js\nlet a = 1;\n```\n\n',
  html: '<pre><code>let a = 1;</code></pre>',
};
const link = '<a href="mailto:a@b.example" style="unicode-bidi: isolate">a@b.example</a>,';
const square = '<math><msup><mi>x</mi><mn>2</mn></msup></math> and ';

/** An ordinary agent message, and adversarial texts that are meant to be slow to render. */
const samples: Readonly<Record<string, MarkdownSample>> = {
  'an ordinary answer': { text: longAnswer(40_000).slice(0, textLength) },
  'one paragraph': paragraph('word '),
  'one right-to-left paragraph': paragraph('שלום '),
  'one word': paragraph('W'),
  'quotation marks': { text: fill('>') },
  'open emphasis': { text: fill('**a _b ') },
  'formula brackets': { text: fill('\\[') },
  'mail addresses': paragraph('a@b.example,', link),
  footnotes: { text: fill('[^a]: ') },
  'formulas in one paragraph': paragraph('$x^2$ and ', square),
  'blocks of code': {
    text: fill(block.markdown),
    baseline: {
      html: block.html.repeat(Math.ceil(textLength / block.markdown.length)),
      chunk: block.html,
    },
  },
  'a line of C#': { text: `\`\`\`csharp\n${fill('int a ')}` },
};

/**
 * CPU time for 100 kB of Markdown: to render the whole text, and to append the last chunks of a
 * stream. `<inlay-markdown>` with 100 kB of ordinary and adversarial text: processor time to render it
 * in one step, and to append 25 characters. Targets without a baseline: 300 ms and 50 ms. Does not
 * measure longer texts.
 */
export const markdown: Benchmark = {
  name: 'markdown',
  title: 'main-thread CPU time for 100 kB of Markdown',
  run: ({ rounds }) =>
    withPreparedPlatform(
      { brief: { tokens: ['Yes.'], tokensPerSecond: null } },
      async (withPage, setup) => {
        const rows: Row[] = [];
        for (const [name, sample] of Object.entries(samples)) {
          await withPage({ name: 'widget', setup: setup('brief') }, async (page) => {
            await page.page.evaluate(loadMarkdown);
            rows.push(...(await measureSample(page, name, sample, Math.min(rounds, 3))));
          });
        }
        return {
          rows,
          notes: [
            `Processor time of all tasks of the main thread (\`TaskDuration\`), style and layout included. A chunk is ${chunkLength} characters that are appended to the text; the slowest of ${chunkCount} counts. The baseline is the HTML of the same text, inserted into the same page without a Markdown parser; in both, links isolate their text direction.`,
          ],
        };
      },
    ),
};

async function measureSample(
  { page, counters }: MeasuredPage,
  name: string,
  { text, baseline }: MarkdownSample,
  rounds: number,
): Promise<Row[]> {
  const taskTime = async (act: () => Promise<void>) => {
    const before = await counters();
    await act();
    return ((await counters()).task - before.task) * 1000;
  };
  const timeToShow = (markdownText: string, streaming: boolean, isNew: boolean) =>
    taskTime(() => page.evaluate(showMarkdown, { text: markdownText, streaming, isNew }));
  const timeToShowBaseline = (html: string, isNew: boolean) =>
    taskTime(() => page.evaluate(showHtml, { html, isNew }));
  const wholeText: number[] = [];
  const slowestChunk: number[] = [];
  const baselineWholeText: number[] = [];
  const baselineSlowestChunk: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(() => document.querySelector('#baseline')?.remove());
    wholeText.push(await timeToShow(text, false, true));
    const start = text.length - chunkCount * chunkLength;
    await timeToShow(text.slice(0, start), true, true);
    const times: number[] = [];
    for (let end = start + chunkLength; end <= text.length; end += chunkLength) {
      times.push(await timeToShow(text.slice(0, end), true, false));
    }
    slowestChunk.push(Math.max(...times));
    if (!baseline) continue;
    await page.evaluate(() => document.querySelector('inlay-markdown')?.remove());
    baselineWholeText.push(await timeToShowBaseline(baseline.html, true));
    const baselineTimes: number[] = [];
    for (let index = 0; index < chunkCount; index += 1) {
      baselineTimes.push(await timeToShowBaseline(baseline.chunk, false));
    }
    baselineSlowestChunk.push(Math.max(...baselineTimes));
  }
  const row = (metric: string, measured: number[], baselineTimes: number[], limit: number) =>
    toRow({
      metric: `${name}: ${metric}`,
      unit: 'ms',
      measured,
      ...(baseline && { baseline: baselineTimes }),
      target: atMostOrRatio(limit, 'ms', 1.3),
    });
  return [
    row('whole text', wholeText, baselineWholeText, 300),
    row('a chunk', slowestChunk, baselineSlowestChunk, 50),
  ];
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
    element.id = 'baseline';
    element.style.overflowWrap = 'anywhere';
    element.innerHTML = html;
    document.body.append(element);
  } else {
    const baseline = document.querySelector('#baseline');
    const target = baseline?.querySelector('p') ?? baseline;
    const last = target?.lastChild;
    if (last instanceof Text && !html.includes('<')) last.data += html;
    else target?.insertAdjacentHTML('beforeend', html);
  }
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
}
