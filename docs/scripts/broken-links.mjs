import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'parse5';

/** Returns the elements below a node, including the content of templates. */
function elementsBelow(node) {
  const children = [...(node.childNodes ?? []), ...(node.content?.childNodes ?? [])];
  return children.flatMap((child) => [...(child.attrs ? [child] : []), ...elementsBelow(child)]);
}

/** Returns the URLs in an attribute. A `srcset` has several, each followed by a size or a density. */
function urlsIn({ name, value }) {
  if (name === 'srcset') {
    return Array.from(value.matchAll(/([^\s,](?:\S*[^\s,])?)[^,]*/g), ([, url]) => url);
  }
  return ['href', 'src', 'poster'].includes(name) ? [value] : [];
}

/** Returns the URLs of the links in Markdown, without those in code. */
function linksOf(markdown) {
  const text = markdown
    .replaceAll(/^( *```+)[\s\S]*?^\1$/gm, '')
    .replaceAll(/(`+)[^`]+\1/g, 'code');
  return Array.from(text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g), ([, url]) => url);
}

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
    .map((file) => {
      const document = parse(readFileSync(join(folder, file), 'utf8'));
      return [file, elementsBelow(document).flatMap(({ attrs }) => attrs)];
    });
  // Coding agents read the Markdown files. An anchor is that of the page.
  const markdown = [...files]
    .filter((file) => /\.md$|(?:^|\/)llms\.txt$/.test(file))
    .map((file) => [file, linksOf(readFileSync(join(folder, file), 'utf8'))]);
  const ids = new Map(
    pages.map(([file, attributes]) => [
      file,
      new Set(attributes.filter(({ name }) => name === 'id').map(({ value }) => value)),
    ]),
  );
  const problemOf = (file, href) => {
    const url = new URL(href, `http://site${base}${file}`);
    if (url.host !== 'site') return null;
    if (!url.pathname.startsWith(base)) return 'points outside the site';
    const path = decodeURIComponent(url.pathname.slice(base.length));
    const choices = [path, `${path}index.html`, `${path}.html`, `${path}/index.html`];
    const target = choices.find((each) => files.has(each));
    if (!target) return 'points to a file that does not exist';
    const anchor = decodeURIComponent(url.hash.slice(1));
    const name = target.replace(/\.md$/, '');
    const known = ids.get(target) ?? ids.get(`${name}.html`) ?? ids.get(`${name}/index.html`);
    return anchor && known?.has(anchor) === false
      ? 'points to an anchor that does not exist'
      : null;
  };
  const links = pages.map(([file, attributes]) => [file, attributes.flatMap(urlsIn)]);
  return [...links, ...markdown].flatMap(([file, hrefs]) =>
    hrefs.flatMap((href) => {
      const problem = problemOf(file, href);
      return problem ? [`${file}: ${href} ${problem}`] : [];
    }),
  );
}
