import fc from 'fast-check';

import { expect } from '../testing/fixture.ts';
import { createDocument, renderComplete } from '../testing/markdown.ts';
import { extras, installExtras } from './extras.ts';
import { ExtrasDetector } from './needs-extras.ts';

const fragments = [
  ...['word ', '\n', '\n\n', '    ', '  ', '# ', '- ', '1. ', '> ', '---\n', '```', '`', '**', '_'],
  ...[
    '[',
    ']',
    '](',
    '](https://a.example)',
    '[b](https://c.example/d)',
    '[foo]: /url\n',
    '!',
    '(',
  ],
  ...[
    ')',
    '<',
    '&amp;',
    '|',
    '\n|--|--|\n',
    '$',
    '\\(',
    '\\',
    '[^1]',
    '[!NOTE]',
    '@',
    'a@b.example',
  ],
  ...[
    '[e.example](https://f.example)',
    '[call](tel:+123456)',
    '[foo]',
    '[foo]: https://g.example\n',
  ],
  ...[
    '](<https://k.example>)',
    '](\n',
    '\\)',
    '[l]:',
    ' https://m.example\n',
    " 'title'\n",
    '](h',
    '](/n)',
    '\x01)',
  ],
  ...[
    '\u3010',
    '\u30104:0†source\u3011',
    '\ue200cite\ue202turn0search0\ue201',
    '\ue203',
    '[4:0†a.pdf]',
  ],
  ...['[^1^]', '[citation:1]', '<cite>', '\\begin{cases}', '3~5 ', '[c', 'itation'],
  ...['123456', '…', 'h․example', '[h](https://i.example/j "k")'],
  ...['https://', 'www.', 'd.example', 'HTTP://e.example', '~~~', '<b>', '[ ] ', '\t', '![x](y)'],
];
const markdown = fc
  .array(fc.constantFrom(...fragments), { maxLength: 12 })
  .map((chosen) => chosen.join(''));

function renderWithoutExtras(text: string): string {
  const before = extras();
  installExtras(undefined);
  try {
    return renderComplete(text).innerHTML;
  } finally {
    installExtras(before);
  }
}

const needsExtras = (text: string) => new ExtrasDetector().test(text, false);

describe('ExtrasDetector', () => {
  it('returns false for plain Markdown', () => {
    expect(
      needsExtras('It is **fine**:\n\n- *one*\n- [two](https://a.example/b)\n\n`all`'),
    ).to.equal(false);
    expect(needsExtras('# Title\n\n1. [x] done\n2. ~~gone~~\n\n> quoted\n\n---')).to.equal(false);
  });

  it('returns true for each kind of rare syntax', () => {
    const texts = ['&amp;', '<b>', 'a | b', '$x$', '\\(x\\)', '[^1]', '> [!NOTE]', '![a](b)'];
    for (const text of [
      ...texts,
      '```js',
      '~~~',
      '    code',
      'https://a.example',
      'www.a.example',
    ]) {
      expect(needsExtras(text), text).to.equal(true);
    }
    expect(needsExtras('a](https://b.example)'), 'a URL outside a link').to.equal(true);
    expect(needsExtras('[a](https://b.example c)'), 'text that only looks like a link').to.equal(
      true,
    );
  });

  it('returns true for links whose text may contain another address, or whose URL is not plain', () => {
    const texts = ['a.example', 'a․example', 'a⒈example', 'Read…', 'you@a.example'];
    for (const text of texts)
      expect(needsExtras(`[${text}](https://b.example)`), text).to.equal(true);
    for (const destination of ['tel:+123456', '/path', '<b>', 'https://b.example "c"', '', '#d'])
      expect(needsExtras(`[a](${destination})`), destination).to.equal(true);
    expect(needsExtras('[a]\n\n[a]: https://b.example'), 'a definition').to.equal(true);
    expect(needsExtras('[Straße, “заказ” – 注文](https://b.example)'), 'letters').to.equal(false);
  });

  it('returns false only if the text is rendered the same without the lazy-loaded module', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        if (!needsExtras(text))
          expect(renderWithoutExtras(text)).to.equal(renderComplete(text).innerHTML);
      }),
      {
        numRuns: 3_000,
        // An incomplete link whose URL is an autolink, and a link whose text needs the extras.
        examples: [['[](HTTP://e.example'], ['[&amp;](https://a.example)']],
      },
    );
  });

  it('detects in a streamed text everything that it detects in the complete text', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const detector = new ExtrasDetector();
        let isFound = false;
        for (let end = size; end < text.length; end += size)
          isFound = detector.test(text.slice(0, end), true);
        isFound = detector.test(text, false);
        if (needsExtras(text)) expect(isFound, text).to.equal(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('returns true before a streamed text contains syntax that only the lazy-loaded module renders', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const before = extras();
        installExtras(undefined);
        try {
          const detector = new ExtrasDetector();
          const { content, document } = createDocument();
          for (let end = size; end < text.length; end += size) {
            const piece = text.slice(0, end);
            if (detector.test(piece, true)) installExtras(before);
            document.update(piece, true);
          }
          if (detector.test(text, false)) installExtras(before);
          document.update(text, false);
          installExtras(before);
          expect(content.innerHTML).to.equal(renderComplete(text).innerHTML);
        } finally {
          installExtras(before);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('returns false for a plain link, also while its URL streams', () => {
    const detector = new ExtrasDetector();
    for (const text of ['[a]', '[a](', '[a](htt', '[a](https:', '[a](https://b.exam'])
      expect(detector.test(text, true), text).to.equal(false);
    expect(detector.test('[a](https://b.example)', false)).to.equal(false);
  });

  it('tests a replaced text from its start', () => {
    const detector = new ExtrasDetector();
    expect(detector.test('a | b', false)).to.equal(true);
    expect(detector.test('plain', false)).to.equal(false);
  });
});
