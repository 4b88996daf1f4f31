import '../../define-all.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { minimumTime, processorTimeOf, reportsProcessorTime } from '../testing/processor-time.ts';

const isMeasured = await reportsProcessorTime();

/** Length of the shorter text in characters. The longer text is `factor` times as long. */
const shortLength = 2_500;
const factor = 16;

/**
 * Maximum ratio of the times for both texts: a factor of 2.8 for each doubling of the length. The factor is 2 for
 * linear growth, and 4 for quadratic growth (a ratio of 256).
 */
const maxRatio = 2.8 ** Math.log2(factor);

/** Maximum number of measurements of each time. Their minimum counts. */
const maxRuns = 3;

/** Number and length in characters of the streamed pieces whose rendering is measured. */
const pieceCount = 8;
const pieceLength = 25;

const texts: Readonly<Record<string, string>> = {
  words: 'word ',
  'a long word': 'W',
  'lines of a paragraph': 'a line of words\n',
  'right-to-left words': 'שלום ',
  'hard breaks': 'word  \n',
  blockquotes: '>',
  'blockquotes with spaces': '> ',
  'nested lists': '- ',
  'list items': '- a\n',
  headings: '# a\n',
  'code spans': '`a` ',
  backticks: '`',
  'code blocks': '```js\na\n```\n\n',
  'lines of code': '```js\nlet a = 1;\n',
  'C# code': '```csharp\nint a ',
  'openings of display formulas': '\\[',
  'openings of inline formulas': '\\(',
  dollars: '$a ',
  formulas: '$x$ ',
  'square brackets': '[',
  'incomplete links': '[a](<b',
  'links with URLs as text': '[https://a.example](https://b.example) ',
  'incomplete tags': '<a ',
  'rows of a table': '| a | b |\n|---|---|\n',
  'combining marks': 'a\u0301\u0316',
  entities: '&amp;',
  images: '![a](https://a.example/b.png) ',
};

/** Repeats `unit` up to a length; the opening line of a code block is not repeated. */
function textOf(unit: string, length: number): string {
  const end = unit.startsWith('```js\nlet') || unit.includes('csharp') ? unit.indexOf('\n') + 1 : 0;
  const repeated = unit.slice(end);
  return unit.slice(0, end) + repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length);
}

async function render(text: string, streaming: boolean) {
  const element = document.createElement('inlay-markdown');
  element.style.cssText = 'display: block; inline-size: 600px;';
  Object.assign(element, { text, streaming });
  mount(element);
  await element.updateComplete;
  element.getBoundingClientRect();
  return element;
}

/** Processor time to render a complete text, in milliseconds. */
async function timeOfComplete(text: string): Promise<number> {
  let element: Element | undefined;
  const time = await processorTimeOf(async () => {
    element = await render(text, false);
    await nextFrame();
  });
  element?.remove();
  return time;
}

/** Processor time to render the last pieces of a text that streams, in milliseconds. */
async function timeOfStreaming(text: string): Promise<number> {
  const start = text.length - pieceCount * pieceLength;
  const element = await render(text.slice(0, start), true);
  await nextFrame();
  const time = await processorTimeOf(async () => {
    for (let end = start + pieceLength; end <= text.length; end += pieceLength) {
      element.text = text.slice(0, end);
      await element.updateComplete;
      element.getBoundingClientRect();
    }
    await nextFrame();
  });
  element.remove();
  return time;
}

/**
 * The minimum of several measurements, in milliseconds, and at least `minimumTime`.
 *
 * @param enough - Time in milliseconds below which no further measurement is necessary.
 */
async function minimumOf(measure: () => Promise<number>, enough: number): Promise<number> {
  let minimum = Number.POSITIVE_INFINITY;
  for (let run = 0; run < maxRuns && minimum >= enough; run += 1) {
    minimum = Math.min(minimum, await measure());
  }
  return Math.max(minimum, minimumTime);
}

describe('rendering time', () => {
  for (const [name, unit] of isMeasured ? Object.entries(texts) : []) {
    it(`of ${name} grows almost in proportion to the length`, async () => {
      for (const measure of [timeOfComplete, timeOfStreaming]) {
        const shortText = textOf(unit, shortLength);
        const longText = textOf(unit, shortLength * factor);
        const short = await minimumOf(() => measure(shortText), minimumTime);
        const long = await minimumOf(() => measure(longText), short * maxRatio);
        const times = `${measure.name}: ${Math.round(short)} ms, then ${Math.round(long)} ms`;
        expect(long / short, times).to.be.below(maxRatio);
      }
    });
  }
});
