import { expect, it } from 'vitest';
import { minifyMarkupIn, minifyStylesIn } from './minify-templates.mjs';

it('minifyStylesIn minifies style sheets, and keeps their expressions and the line numbers of later statements', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder belongs to the style sheet
  const code = "const a = css`\n  /* A note. */\n  p { margin: 0px ${token('b')}; }\n`;\nnext();";

  expect(minifyStylesIn(code)).toBe(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    "const a = css`p{margin:0px ${token('b')}}`\n\n\n;\nnext();",
  );
});

it('minifyMarkupIn removes line ends and indentation, but no spaces within a line', () => {
  expect(minifyMarkupIn('html`\n  <p\n    id="a"\n  >\n    <b>a</b> <i></i>\n  </p>`')).toBe(
    'html`<p\nid="a"><b>a</b> <i></i></p>`',
  );
});
