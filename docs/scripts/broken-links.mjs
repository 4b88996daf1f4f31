import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Finds the internal links of a built site whose page or anchor does not exist.
 *
 * @param {string} folder The built site.
 * @param {string} base Path below which the site is served, with slashes at both ends.
 * @returns {string[]} One line per broken link.
 */
export function brokenLinks(folder, base) {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );
  const pages = [...files]
    .filter((file) => file.endsWith('.html'))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  const ids = new Map(
    pages.map(([file, html]) => [
      file,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const problemOf = (file, href) => {
    const url = new URL(href.replaceAll('&amp;', '&'), `http://site${base}${file}`);
    if (url.host !== 'site') return null;
    const path = decodeURIComponent(url.pathname.slice(base.length));
    const choices = [path, `${path}index.html`, `${path}.html`, `${path}/index.html`];
    const target = choices.find((each) => files.has(each));
    if (!target) return 'points to a file that does not exist';
    const anchor = decodeURIComponent(url.hash.slice(1));
    return anchor && ids.get(target)?.has(anchor) === false
      ? 'points to an anchor that does not exist'
      : null;
  };
  const links = /<(?:a|img|source|link|script)\s[^>]*?(?:href|src|srcset)="([^"]+)"/g;
  return pages.flatMap(([file, html]) =>
    [...html.matchAll(links)].flatMap(([, href]) => {
      const problem = problemOf(file, href);
      return problem ? [`${file}: ${href} ${problem}`] : [];
    }),
  );
}
