const chars = (code: number, count: number) => String.fromCodePoint(code).repeat(count);

/** A letter with `count` combining marks. */
const stack = (count: number) =>
  `a${Array.from({ length: count }, (_, index) => String.fromCodePoint(0x300 + (index % 0x60))).join('')}`;

const whiteBox = (width: string) => `\\color{white}\\rule{${width}}{6.9em}`;

/** Formulas that try to paint or to receive clicks outside their line. */
const formulas: Readonly<Record<string, string>> = {
  'a raised white box with text on it': `\\smash{\\raisebox{4.9em}{\\rlap{${whiteBox('28.6em')}}}\\raisebox{9em}{\\textbf{Refunds 5 euros}}}`,
  'a smashed raised box': '\\smash{\\raisebox{8em}{\\text{over the card}}}',
  'a smashed lowered box': '\\smash{\\raisebox{-8em}{\\text{over the next message}}}',
  'a negative kern': '\\kern-20em\\text{to the left of the line}',
  'a negative space': '\\hspace{-20em}\\text{to the left of the line}',
  'a smashed matrix':
    '\\smash{\\begin{matrix}1\\\\2\\\\3\\\\4\\\\5\\\\6\\\\7\\\\8\\\\9\\\\10\\end{matrix}}',
  rlap: '\\rlap{\\rule{30em}{1em}}',
  llap: '\\llap{\\rule{30em}{1em}}',
  clap: '\\clap{\\rule{60em}{1em}}',
  'a tall smashed rule': '\\smash{\\rule{20em}{25em}}',
  'a raised rule': '\\smash{\\rule[10em]{20em}{10em}}',
  'a lowered rule': '\\smash{\\rule[-15em]{20em}{10em}}',
  'a wide rule': '\\rule{30em}{0.5em}\\rule{30em}{0.5em}\\rule{30em}{0.5em}',
  'many negative spaces': `${'\\!'.repeat(200)}\\text{left}`,
  'medium negative spaces': `${'\\negthickspace'.repeat(100)}\\text{left}`,
  mskip: '\\mskip-300mu\\text{left}',
  mkern: '\\mkern-360mu\\text{left}',
  'a smash in a fraction':
    '\\frac{\\smash{\\raisebox{9em}{\\rule{9em}{3em}}}}{\\smash{\\raisebox{-9em}{\\rule{9em}{3em}}}}',
  'a smash in a root': '\\sqrt[3]{\\smash{\\raisebox{9em}{\\rule{9em}{3em}}}}',
  'a smash in a matrix':
    '\\begin{pmatrix}\\smash{\\raisebox{9em}{\\rule{9em}{3em}}}&\\kern-20em x\\end{pmatrix}',
  'nested smashes':
    '\\smash{\\smash{\\smash{\\raisebox{5em}{\\smash{\\raisebox{5em}{\\rule{9em}{3em}}}}}}}',
  'the smashed top of a box': '\\smash[t]{\\rule{20em}{20em}}',
  'the smashed bottom of a box': '\\smash[b]{\\rule[-20em]{20em}{20em}}',
  mathchoice: '\\mathchoice{x}{\\smash{\\raisebox{9em}{\\rule{20em}{3em}}}}{x}{x}',
  'a rule in a superscript':
    '{x^{\\smash{\\raisebox{12em}{\\rule{12em}{4em}}}}}_{\\smash{\\raisebox{-12em}{\\rule{12em}{4em}}}}',
  'nested superscripts': `${'x^{'.repeat(20)}x${'}'.repeat(20)}`,
  'a coloured box': '\\smash{\\raisebox{6em}{\\colorbox{red}{\\rule{20em}{6em}}}}',
  'a framed box':
    '\\smash{\\raisebox{6em}{\\fcolorbox{red}{yellow}{\\text{This has been approved already}}}}',
  'a huge size': '\\smash{\\Huge\\Huge\\Huge\\raisebox{4em}{\\text{HUGE}}}',
  'an overset stack': '\\smash{\\overset{\\overset{\\overset{\\rule{12em}{4em}}{x}}{x}}{x}}',
  'a tall brace': '\\smash{\\left\\{\\rule{0em}{28em}\\right.}',
  'a phantom that moves the following rule':
    '\\smash{\\vphantom{\\rule{1em}{20em}}}\\kern-25em\\rule{25em}{1em}',
  'an array with negative rows':
    '\\begin{array}{c}\\rule{9em}{2em}\\\\[-15em]\\rule{9em}{2em}\\end{array}',
  'an overlapping negation': `${'\\not'.repeat(30)}=`,
  'a cancelled box': '\\smash{\\cancel{\\rule{20em}{20em}}}',
  'text with combining marks': `\\text{${stack(400)}}`,
  'nested accents': `${'\\hat{'.repeat(40)}\\smash{\\raisebox{9em}{x}}${'}'.repeat(40)}`,
};

/** Answers whose formulas try to paint or to receive clicks outside the answer, by technique. */
export const formulaAttacks: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(formulas).map(([name, source]) => [name, `Now $${source}$ then`]),
  ),
  'in display mode': `$$\n${formulas['a raised white box with text on it']}\n$$`,
  'in display mode within a sentence': `Now $$${formulas['a smashed raised box']}$$ then`,
  'in a heading': `# $${formulas['a smashed raised box']}$`,
  'in a table': `| a | b |\n|---|---|\n| $${formulas['a negative kern']}$ | $${formulas['a tall smashed rule']}$ |`,
  'in a list': `1. $${formulas['a tall smashed rule']}$\n2. $${formulas['a negative kern']}$`,
  'in a link': `[$${formulas['a raised rule']}$](https://evil.example)`,
  'in a blockquote': `> $${formulas['a raised rule']}$`,
};

/** Answers whose text tries to paint or to receive clicks outside the answer, by technique. */
export const textAttacks: Readonly<Record<string, string>> = {
  'stacked combining marks': stack(300),
  'lines of stacked combining marks': `${stack(120)} `.repeat(20),
  'stacked marks in code': `\`\`\`\n${stack(300)}\n\`\`\``,
  'stacked marks in a link': `[${stack(300)}](https://evil.example)`,
  'stacked marks in a table': `| ${stack(300)} |\n|---|\n| ${stack(300)} |`,
  'stacked marks in a blocked image': `![${stack(300)}](https://evil.example/a.png)`,
  'enclosing marks': `a${chars(0x20dd, 60)}${chars(0x20e0, 60)}`,
  'tall characters of several scripts': `${chars(0xfdfd, 40)} ${chars(0x1242b, 40)} ${chars(0x102a, 40)}`,
  'stacked Thai vowels': `ก${chars(0x0e49, 200)}${chars(0x0e39, 200)}`,
  'direction overrides': `${chars(0x202e, 30)}evil ${chars(0x2066, 60)}${chars(0x202d, 60)}text`,
  'a wide table': `|${'a very wide cell of a table|'.repeat(40)}\n|${'-|'.repeat(40)}\n|${'b|'.repeat(40)}`,
  'a long word': 'W'.repeat(2_000),
  'a long line of code': `\`\`\`\n${'code '.repeat(500)}\n\`\`\``,
  'a long heading': `# ${'W'.repeat(300)}`,
  'nested blockquotes': `${'> '.repeat(32)}deep`,
  'nested lists': Array.from({ length: 16 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n'),
  'a list that starts at a large number': '999999999. a\n\n999999999) b',
  'long runs of spaces': `a${chars(0x2003, 400)}b${chars(0x00a0, 400)}c`,
  'zero-width characters': `a${chars(0x200b, 200)}${chars(0x00ad, 200)}${chars(0xfeff, 200)}b`,
  'nested emphasis': `${'*_'.repeat(8)}a${'_*'.repeat(8)}`,
  'HTML with styles': '<div style="position:fixed;inset:0;background:red">x</div>',
  details: '<details open><summary>a</summary><p style="margin:-999px">b</p></details>',
};
