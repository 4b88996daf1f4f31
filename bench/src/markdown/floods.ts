/** Texts with quadratic cost in naive Markdown parsers, each of at least `length` characters. */
const repeat = (text: string) => (length: number) => text.repeat(Math.ceil(length / text.length));

function numbered(text: (index: number) => string) {
  return (length: number) => {
    let all = '';
    for (let index = 0; all.length < length; index += 1) all += text(index);
    return all;
  };
}

const halves =
  (first: (length: number) => string, second: (length: number) => string) => (length: number) =>
    first(length / 2) + second(length / 2);

export const floods: Readonly<Record<string, (length: number) => string>> = {
  words: repeat('word '),
  'one word': repeat('a'),
  'text without spaces': repeat('这个，重要注意。'),
  lines: repeat('a\n'),
  'mail addresses before brackets': repeat('a@b.c)'),
  'half mail addresses': repeat('a@b.'),
  'mail addresses without spaces': numbered((index) => `u${index}@d${index % 9}.com,`),
  'mail addresses': repeat('a@b.example '),
  'names with underscores': repeat('a_b@c.d_'),
  'at signs': repeat('@'),
  addresses: repeat('http://a)'),
  'addresses without a host': repeat('(http://.'),
  'one long address': (length) => `http://${'a'.repeat(length)}`,
  'addresses beside CJK text': repeat('网站：https://a.example，谢谢'),
  'schemes alone': repeat('www.'),
  'emphasis that opens': repeat('**a _b '),
  'tildes within words': repeat('~~a'),
  'tildes that open': repeat('~~a '),
  'stars and underscores': repeat('*_'),
  'emphasis without spaces': repeat('*a_b'),
  'emphasis that closes and opens': repeat('**b***c'),
  'CJK emphasis': repeat('**注意：**这个'),
  brackets: repeat('['),
  'brackets that close': halves(repeat('['), repeat(']')),
  links: repeat('[a](b)'),
  'half addresses of links': repeat('[a](<b'),
  'half titles of links': repeat('[a](b "c'),
  'pictures that open': repeat('!['),
  'pictures within pictures': halves(repeat('!['), repeat('](a)')),
  'labels of footnotes': repeat('[^a]: '),
  'escaped brackets': repeat('\\['),
  'escaped brackets in pairs': repeat('\\[1\\] '),
  'formulas that open': repeat('\\('),
  formulas: repeat('$a$ '),
  dollars: repeat('$'),
  'dollars that open': repeat('$a '),
  prices: repeat('$5,'),
  code: repeat('`a`'),
  backticks: repeat('`'),
  'backticks of many lengths': numbered((index) => `${'`'.repeat(index % 300)}a`),
  'half tags': repeat('<a '),
  'half attributes': (length) => `<a ${repeat('b="')(length)}`,
  'tags that open': repeat('<b>'),
  'tags that close': repeat('</b>'),
  'tags in pairs': repeat('<sup>a<sub>b</sup>'),
  'half comments': repeat('<!-- '),
  'angle brackets': repeat('<'),
  'character references': repeat('&amp;&alpha;&'),
  'exclamation marks': repeat('!'),
  escapes: repeat('\\*'),
  details: repeat('<details>\n<summary>a</summary>\n\n'),
  'comments of lines': repeat('<!-- a\n'),
  alerts: repeat('> [!NOTE]\n> a\n\n'),
  'block quotes': repeat('> '),
  'list markers': repeat('- '),
  'half definitions': repeat('[a\n'),
  'rows of a table': (length) => `|a|b|\n|-|-|\n${repeat('|**a**|b|\n')(length)}`,
  'a cell of a table': (length) => `|a|b|\n|-|-|\n|${repeat('**a _b ')(length)}`,
  'lines of a formula': (length) => `$$\n${repeat('a\n')(length)}`,
  'lines of code': (length) => `\`\`\`\n${repeat('a\n')(length)}`,
  'definitions of references': halves(
    numbered((index) => `[r${index}] `),
    (length) => `\n\n${numbered((index) => `[r${index}]: https://a.example/${index}\n`)(length)}`,
  ),
  'definitions of footnotes': halves(
    numbered((index) => `a[^n${index}] `),
    (length) => `\n\n${numbered((index) => `[^n${index}]: note ${index}\n`)(length)}`,
  ),
};
