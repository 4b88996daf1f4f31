/** Converts the file paths in links of the guides to links of the site. */
import { posix } from 'node:path';

/** URL of the repository. */
const repository = 'https://example.com/inlay/inlay';
const files = `${repository}/src/branch/main`;

/** Pages of the site that replace sections of the README. */
const sectionsOfReadme = {
  'from-a-checkout': '/quick-start/#from-a-checkout',
};

/**
 * Returns the target of a link on the site. Links to files outside `docs/` point to the repository.
 *
 * @param {string} href The link in the guide.
 * @param {string} page Path of the guide below `docs/`, such as `quick-start/vue.md`.
 */
function targetOf(href, page) {
  if (/^(?:[a-z]+:|[#/])/i.test(href)) return href;
  const [path, hash = ''] = href.split('#');
  const file = posix.normalize(posix.join('docs', posix.dirname(page), path));
  if (file.startsWith('docs/') && (file.endsWith('.md') || !posix.extname(file))) return href;
  if (file === 'README.md') return sectionsOfReadme[hash] ?? '/quick-start/';
  return `${files}/${file}${hash && `#${hash}`}`;
}

/** Applies `targetOf` to the links of markdown-it, before VitePress checks them. */
export function resolveLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href');
        if (href) token.attrSet('href', targetOf(href, env.relativePath ?? ''));
      }
    }
  });
}

/** Returns the id of a heading. GitHub and Gitea use the same id, so that links work there and on the site. */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
