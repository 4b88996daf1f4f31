import '../../define-all.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { minimumTime, processorTimeOf, reportsProcessorTime } from '../testing/processor-time.ts';

const isMeasured = await reportsProcessorTime();

/** Length of the shorter text, and how many times longer the other one is. */
const short = 5_000;
const times = 8;

/**
 * How many times the time may grow for that: five times as much as the length, because times differ
 * from run to run. The square of the length would be 64.
 */
const bound = 5 * times;

/** Pieces at the end of a text that grows, and the characters of each. */
const pieces = 8;
const pieceLength = 25;

const texts: Readonly<Record<string, string>> = {
  words: 'word ',
  'a long word': 'W',
  'lines of a paragraph': 'a line of words\n',
  'right-to-left words': 'שלום ',
  'hard breaks': 'word  \n',
  quotes: '>',
  'quotes with spaces': '> ',
  'lists in each other': '- ',
  'list items': '- a\n',
  headings: '# a\n',
  'code spans': '`a` ',
  backticks: '`',
  'blocks of code': '```js\na\n```\n\n',
  'lines of code': '```js\nlet a = 1;\n',
  'words of C#': '```csharp\nint a ',
  'formula brackets': '\\[',
  'half formulas': '\\(',
  dollars: '$a ',
  formulas: '$x$ ',
  'square brackets': '[',
  'half links': '[a](<b',
  'links of addresses': '[https://a.example](https://b.example) ',
  'half tags': '<a ',
  'rows of a table': '| a | b |\n|---|---|\n',
  'combining marks': 'a\u0301\u0316',
  entities: '&amp;',
  pictures: '![a](https://a.example/b.png) ',
};

/** `unit` up to a length. What opens a block of code or a table is there once. */
function textOf(unit: string, length: number): string {
  const end = unit.startsWith('```js\nlet') || unit.includes('csharp') ? unit.indexOf('\n') + 1 : 0;
  const repeated = unit.slice(end);
  return unit.slice(0, end) + repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length);
}

async function show(text: string, streaming: boolean) {
  const element = document.createElement('inlay-markdown');
  element.style.cssText = 'display: block; inline-size: 600px;';
  Object.assign(element, { text, streaming });
  mount(element);
  await element.updateComplete;
  element.getBoundingClientRect();
  return element;
}

/** Processor time to show a text that is there at once. */
async function timeAtOnce(text: string): Promise<number> {
  let shown: Element | undefined;
  const time = await processorTimeOf(async () => {
    shown = await show(text, false);
    await nextFrame();
  });
  shown?.remove();
  return time;
}

/** Processor time to show its last pieces, one after the other. */
async function timeInPieces(text: string): Promise<number> {
  const start = text.length - pieces * pieceLength;
  const element = await show(text.slice(0, start), true);
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

describe('Markdown that becomes longer', () => {
  for (const [name, unit] of isMeasured ? Object.entries(texts) : []) {
    it(`takes time by its length at most: ${name}`, async () => {
      for (const time of [timeAtOnce, timeInPieces]) {
        const before = await time(textOf(unit, short));
        const after = await time(textOf(unit, short * times));
        const figures = `${time.name}: ${Math.round(before)} ms, then ${Math.round(after)} ms`;
        expect(after / Math.max(before, minimumTime), figures).to.be.below(bound);
      }
    });
  }
});
