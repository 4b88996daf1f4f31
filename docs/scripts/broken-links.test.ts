import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenLinks } from './broken-links.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-links-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a site that is served below `/docs/`, and checks its links. */
function check(files: Readonly<Record<string, string>>): string[] {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return brokenLinks(folder, '/docs/');
}

describe('brokenLinks', () => {
  it('accepts links to files, pages, folders, anchors and other sites', () => {
    const index = `<h1 id="größe">Title</h1>
      <a href="#gr%C3%B6%C3%9Fe"></a><a href="guides/start#a&amp;b"></a><a href="/docs/guides/"></a>
      <a href="https://other.test/missing"></a><a href="mailto:me@other.test"></a><a href></a>
      <link rel="icon" href="/docs/icon.svg"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`;
    const start = '<h1 id="a&amp;b">Start</h1><a href="../#größe"></a>';

    expect(
      check({
        'index.html': index,
        'guides/index.html': '<a href="start"></a>',
        'guides/start.html': start,
        'icon.svg': '<svg/>',
      }),
    ).toEqual([]);
  });

  it('names missing files and anchors with the page that links to them', () => {
    const page = `<!-- <a href="/docs/comment"></a> -->
      <a href="/docs/guide"></a><a href='#end'></a><script src=/docs/late.js></script>
      <a class="back" href="/blog/index.html"></a>`;

    expect(check({ 'index.html': page })).toEqual([
      'index.html: /docs/guide points to a file that does not exist',
      'index.html: #end points to an anchor that does not exist',
      'index.html: /docs/late.js points to a file that does not exist',
      'index.html: /blog/index.html points outside the site',
    ]);
  });

  it('checks every URL of an element', () => {
    const page = `<img src="small.png" srcset="small.png, large.png 2x">
      <picture><source srcset="/docs/wide.webp 800w,
        /docs/narrow.webp 400w" sizes="100vw"></picture>
      <video src="film.mp4" poster="still.png"></video>
      <template><a href="/docs/row"></a></template>`;

    expect(
      check({ 'index.html': page, 'small.png': '', 'narrow.webp': '', 'film.mp4': '' }),
    ).toEqual(
      ['large.png', '/docs/wide.webp', 'still.png', '/docs/row'].map(
        (url) => `index.html: ${url} points to a file that does not exist`,
      ),
    );
  });

  it('checks the links of the Markdown files', () => {
    const start = `[start](start.md) [top](guides/start.md#top) [end](guides/start.md#end)
      [\`code\`](late.md) ![image](image.png) \`[no](link.md)\` [site](https://other.test/a.md)
\`\`\`ts
const [first] = [call](code.md);
\`\`\`
[after](after.md)`;

    expect(
      check({
        'guides.md': start,
        'guides/start.md': '[up](../guides.md#start)',
        'guides/start.html': '<h1 id="top">Start</h1>',
        'guides/index.html': '<h1 id="start">Guides</h1>',
        'llms.txt': '- [Guides](/docs/guides.md)\n- [Other](/docs/other.md)',
      }),
    ).toEqual([
      'guides.md: start.md points to a file that does not exist',
      'guides.md: guides/start.md#end points to an anchor that does not exist',
      'guides.md: late.md points to a file that does not exist',
      'guides.md: after.md points to a file that does not exist',
      'llms.txt: /docs/other.md points to a file that does not exist',
    ]);
  });
});
