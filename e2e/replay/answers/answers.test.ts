import { describe, expect, it } from 'vitest';
import { splitTokens } from '../stream/split-tokens.ts';
import { answerNames, findAnswer } from './catalogue.ts';

const textOf = (name: string) => findAnswer(name)?.turns.at(-1)?.text ?? '';
const languagesOf = (text: string) =>
  new Set([...text.matchAll(/^ *```(\w+)/gm)].map((match) => match[1]));

describe('the catalogue of answers', () => {
  it('has ten answers, each with a description and well-formed text', () => {
    expect(answerNames).toHaveLength(10);
    for (const name of answerNames) {
      expect(findAnswer(name)?.description).not.toBe('');
      expect(textOf(name)).not.toBe('');
      expect(textOf(name)).not.toMatch(/\p{Surrogate}/u);
      expect(textOf(name)).not.toMatch(/undefined|NaN|\[object|\ufffd/);
    }
  });

  it('has a report with tables, quotes and lists three levels deep', () => {
    expect(textOf('report').match(/^ *\|[-:| ]+\|$/gm)).toHaveLength(3);
    expect(textOf('report')).toMatch(/^ {5}- .*\n/m);
    expect(textOf('report')).toMatch(/^> > /m);
  });

  it('has code in at least five languages', () => {
    const languages = languagesOf(textOf('code'));

    expect([...languages]).toEqual(expect.arrayContaining(['ts', 'python', 'go', 'rust', 'sql']));
  });

  it('has right-to-left text in two scripts, mixed with Latin and numbers', () => {
    for (const script of ['Arabic', 'Hebrew', 'Latin', 'Nd']) {
      expect(textOf('rtl')).toMatch(
        new RegExp(`\\p{${script === 'Nd' ? 'Nd' : `Script=${script}`}}`, 'u'),
      );
    }
  });

  it('has every kind of character that takes more than one UTF-16 code unit', () => {
    const text = textOf('emoji');

    expect(text).toContain('👨‍👩‍👧‍👦');
    expect(text).toMatch(/\p{Regional_Indicator}{2}/u);
    expect(text).toMatch(/e\u0301/);
    expect(text).toMatch(/\p{Script=Han}/u);
    expect(text).toMatch(/\u{10fffd}/u);
    expect(text).toMatch(/\u{e0073}/u);
  });

  it('has a guide of 20,000 tokens with every kind of Markdown and no repeated chapter', () => {
    const text = textOf('guide');
    const headings = text.match(/^#{1,3} .*$/gm) ?? [];

    expect(splitTokens(text).length).toBeGreaterThanOrEqual(20_000);
    expect(splitTokens(text).length).toBeLessThan(20_500);
    expect(new Set(headings).size).toBe(headings.length);
    expect(languagesOf(text).size).toBeGreaterThanOrEqual(7);
    for (const kind of [/^\|/m, /^> /m, /^- \[x\] /m, /^ {5}1\. /m, /~~/, /\]\(https:/, /^---$/m]) {
      expect(text).toMatch(kind);
    }
  });

  it('D01: has every way to load a resource from another host', () => {
    for (const way of [
      '![plain](https:',
      '![reference][',
      '![shortcut leak]\n',
      '<https://evil',
      '<img src="https',
      'srcset=',
      'url(https:',
      '<svg',
      '<link rel="icon"',
      '<iframe src',
      '@import',
      'poster=',
    ]) {
      expect(textOf('hostile')).toContain(way);
    }
  });

  it('D02: has every spelling of dangerous links', () => {
    for (const way of [
      '](javascript:',
      'JaVaScRiPt:',
      'java\tscript:',
      'java&NewLine;',
      '&#x6A;',
      '&colon;',
      '](data:',
      '](vbscript:',
      '](blob:',
      '](//evil',
      '](\\\\evil',
      '](/\\evil',
    ]) {
      expect(textOf('hostile')).toContain(way);
    }
  });

  it('has an answer that ends inside an unclosed code fence', () => {
    expect((textOf('edges').match(/^```/gm) ?? []).length % 2).toBe(1);
    expect(textOf('edges')).toMatch(/\n\| send the fo\n\n/);
    expect(textOf('edges')).toContain('two spaces,  \n');
    expect(textOf('edges')).toMatch(/\*\*never ends[^*]*$/);
  });
});
