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

/**
 * Functions that create texts with quadratic cost in naive Markdown parsers. The parameter of each
 * function is the minimum length of the text in characters.
 */
export const adversarialTexts: Readonly<Record<string, (length: number) => string>> = {
  words: repeat('word '),
  'one word': repeat('a'),
  'CJK text without spaces': repeat('这个，重要注意。'),
  lines: repeat('a\n'),
  'email addresses before parentheses': repeat('a@b.c)'),
  'incomplete email addresses': repeat('a@b.'),
  'email addresses without spaces': numbered((index) => `u${index}@d${index % 9}.com,`),
  'email addresses': repeat('a@b.example '),
  'email-like words with underscores': repeat('a_b@c.d_'),
  'at signs': repeat('@'),
  URLs: repeat('http://a)'),
  'URLs without a host': repeat('(http://.'),
  'one long URL': (length) => `http://${'a'.repeat(length)}`,
  'URLs beside CJK text': repeat('网站：https://a.example，谢谢'),
  'repeated `www.`': repeat('www.'),
  'unclosed emphasis': repeat('**a _b '),
  'tildes within words': repeat('~~a'),
  'unclosed strikethrough': repeat('~~a '),
  'stars and underscores': repeat('*_'),
  'emphasis without spaces': repeat('*a_b'),
  'delimiters that can open and close': repeat('**b***c'),
  'CJK emphasis': repeat('**注意：**这个'),
  brackets: repeat('['),
  'nested brackets': halves(repeat('['), repeat(']')),
  links: repeat('[a](b)'),
  'incomplete link destinations': repeat('[a](<b'),
  'incomplete link titles': repeat('[a](b "c'),
  'unclosed images': repeat('!['),
  'nested images': halves(repeat('!['), repeat('](a)')),
  'repeated footnote definitions': repeat('[^a]: '),
  'escaped brackets': repeat('\\['),
  'pairs of escaped brackets': repeat('\\[1\\] '),
  'unclosed formulas': repeat('\\('),
  formulas: repeat('$a$ '),
  'dollar signs': repeat('$'),
  'unclosed dollar formulas': repeat('$a '),
  prices: repeat('$5,'),
  'inline code': repeat('`a`'),
  backticks: repeat('`'),
  'backticks of many lengths': numbered((index) => `${'`'.repeat(index % 300)}a`),
  'incomplete tags': repeat('<a '),
  'incomplete attributes': (length) => `<a ${repeat('b="')(length)}`,
  'unclosed tags': repeat('<b>'),
  'closing tags only': repeat('</b>'),
  'overlapping tags': repeat('<sup>a<sub>b</sup>'),
  'unclosed comments': repeat('<!-- '),
  'angle brackets': repeat('<'),
  'character references': repeat('&amp;&alpha;&'),
  'exclamation marks': repeat('!'),
  escapes: repeat('\\*'),
  details: repeat('<details>\n<summary>a</summary>\n\n'),
  'multi-line comments': repeat('<!-- a\n'),
  alerts: repeat('> [!NOTE]\n> a\n\n'),
  'block quotes': repeat('> '),
  'list markers': repeat('- '),
  'incomplete link definitions': repeat('[a\n'),
  'table rows': (length) => `|a|b|\n|-|-|\n${repeat('|**a**|b|\n')(length)}`,
  'one table cell': (length) => `|a|b|\n|-|-|\n|${repeat('**a _b ')(length)}`,
  'lines of a formula': (length) => `$$\n${repeat('a\n')(length)}`,
  'lines of code': (length) => `\`\`\`\n${repeat('a\n')(length)}`,
  'link reference definitions': halves(
    numbered((index) => `[r${index}] `),
    (length) => `\n\n${numbered((index) => `[r${index}]: https://a.example/${index}\n`)(length)}`,
  ),
  'footnote definitions': halves(
    numbered((index) => `a[^n${index}] `),
    (length) => `\n\n${numbered((index) => `[^n${index}]: note ${index}\n`)(length)}`,
  ),
};
