// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders belong to the code that is minified
import { describe, expect, it } from 'vitest';
import { minifyIn } from './minify-templates.mjs';

describe('minifyIn', () => {
  it('minifies style sheets, and keeps their expressions', () => {
    const code =
      "const styles = css`\n  /* A note. */\n  p {\n    margin: 0px ${token('a')};\n  }\n  ${more}\n`;";

    expect(minifyIn(code)).toMatch(/^const styles = css`p\{margin:0(?:px)? \$\{token\('a'\)\}\}/);
    expect(minifyIn(code)).not.toContain('note');
  });

  it('keeps the lines of the statements after a style sheet', () => {
    const code = 'const a = css`\n  p {\n    margin: 0;\n  }\n`;\nconst b = html`\n <p></p>`;';

    expect(minifyIn(code, { html: false }).split('\n').at(5)).toBe('const b = html`');
  });

  it('removes indentation from markup, also in nested templates', () => {
    const code =
      'html`\n  <p\n    class="a"\n  >\n    ${x ? html`\n <b>${y}</b>\n ` : z}\n  </p>\n`';

    expect(minifyIn(code)).toBe('html`<p class="a">${x ? html`<b>${y}</b>` : z}</p>`');
  });

  it('keeps white space within a line, and other templates', () => {
    const code = 'html`<p>${icon} <b>a</b></p>`; text`\n  a\n`';

    expect(minifyIn(code)).toBe(code);
  });
});
