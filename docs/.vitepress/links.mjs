/** Converts the file paths in links of the guides to links of the site. */
import { posix } from 'node:path';

/** URL of the files of the repository. A site that is built without `REPOSITORY_URL` does not link to them. */
const files = process.env.REPOSITORY_URL && `${process.env.REPOSITORY_URL}/blob/main`;

/** Path below which the site is served, with slashes at both ends. */
const base = process.env.DOCS_BASE ?? '/';

/** Pages of the site that are generated from a source file. */
const generatedPages = {
  'packages/client/src/index.ts': '/api/client',
  'packages/client/src/testing.ts': '/api/client-testing',
  'packages/client/src/lib/diagnostics.ts': '/api/client#diagnostic',
  'packages/client/src/lib/errors.ts': '/api/client#inlayerrorcode',
  'packages/client/src/lib/inlay-client.ts': '/api/client#inlayclientoptions',
  'packages/elements/src/lib/chat/chat.ts': '/api/elements#inlay-chat',
  'packages/elements/src/lib/launcher/launcher.ts': '/api/elements#inlay-launcher',
  'packages/elements/src/lib/theme/tokens.ts': '/api/elements#custom-properties',
  'packages/elements/src/lib/i18n/languages/en.ts': '/api/strings',
  'packages/elements/src/lib/i18n/languages/en-on-demand.ts': '/api/strings',
  'packages/protocol/src/lib/tokens.ts': '/api/settings#issuetokenrequest',
  'packages/server/src/lib/config/agent.ts': '/api/settings#agentconfig',
  'packages/client/src/inspector.ts': '/api/client-inspector',
  'packages/server/src/lib/config/compatible.ts': '/api/settings#compatibleprefixes',
  'packages/server/src/lib/config/config.ts': '/api/settings#config',
  'packages/server/src/lib/config/embed-policy.ts': '/api/settings#embedpolicy',
  'packages/server/src/lib/config/limits.ts': '/api/settings#limits',
  'packages/server/src/lib/config/models.ts': '/api/settings#cataloguemodel',
  'packages/server/src/lib/config/object-storage.ts': '/api/settings#objectstorage',
  'packages/server/src/lib/config/model.ts': '/api/settings#openaicompatiblemodel',
};

/**
 * Returns the target of a link on the site. Links to files outside `docs/` point to the repository: an empty target
 * if its URL is unknown.
 *
 * @param {string} href The link in the guide.
 * @param {string} page Path of the guide below `docs/`, such as `quick-start/vue.md`.
 */
function targetOf(href, page) {
  if (/^(?:[a-z]+:|[#/])/i.test(href)) return href;
  const [path, hash = ''] = href.split('#');
  const file = posix.normalize(posix.join('docs', posix.dirname(page), path));
  if (file.startsWith('docs/') && (file.endsWith('.md') || !posix.extname(file))) return href;
  if (file === 'README.md') return '/quick-start/';
  if (generatedPages[file])
    return hash ? `${generatedPages[file].split('#')[0]}#${hash}` : generatedPages[file];
  return files ? `${files}/${file}${hash && `#${hash}`}` : '';
}

/** Applies `targetOf` to the links of markdown-it, before VitePress checks them. */
export function resolveLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const block of tokens) {
      let isRemoved = false;
      block.children = block.children?.filter((token) => {
        if (token.type === 'link_close') return !isRemoved;
        if (token.type !== 'link_open') return true;
        const href = token.attrGet('href');
        const target = href && targetOf(href, env.relativePath ?? '');
        isRemoved = target === '';
        if (target) token.attrSet('href', target);
        return !isRemoved;
      });
    }
  });
}

/** A link to another file in Markdown, which is not an image. */
const relativeLink = /(?<!!)\[([^\]]*)\]\(((?:\.\.\/)+[^)\s]*|[^)\s:]+\.md(?:#[^)\s]*)?)\)/g;

/**
 * Rewrites the links of Markdown files of the built site. The plug-in that writes these files keeps the links of the
 * guides, whose files outside `docs/` are not on the site, and writes `quick-start/index.md` as `quick-start.md`.
 *
 * @param {string} markdown One page, or several. Each starts with its URL as front matter.
 */
export function withSiteLinks(markdown) {
  return markdown
    .split(/^(?=---\nurl: )/m)
    .map((text) => {
      const [, url] = /^---\nurl: \/(\S+)\n/.exec(text) ?? [];
      if (!url) return text;
      // Relative, so that they also work for a site below a path.
      const written = url.slice(base.length - 1);
      const page = written === 'quick-start.md' ? 'quick-start/index.md' : written;
      return text.replaceAll(relativeLink, (_link, label, href) => {
        const target = markdownTargetOf(href, page, written);
        return target ? `[${label}](${target})` : label;
      });
    })
    .join('');
}

/** Returns the target of a link in a Markdown file of the site, relative to where the file is written. */
function markdownTargetOf(href, page, written) {
  const target = targetOf(href, page);
  if (/^(?:[a-z]+:|$)/i.test(target)) return target;
  const [path, hash] = target.split('#');
  const file = posix
    .resolve('/', posix.dirname(page), path)
    .replace(/^\/quick-start(?:\/index\.md)?$/, '/quick-start.md');
  const relative = posix.relative(
    posix.resolve('/', posix.dirname(written)),
    posix.extname(file) ? file : `${file}.md`,
  );
  return hash === undefined ? relative : `${relative}#${hash}`;
}

/** Returns the id of a heading. GitHub and Gitea use the same id, so that links work there and on the site. */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
