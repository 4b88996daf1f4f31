import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { html } from 'hono/html';
import { type Agent, policyOf } from '../agents/agent.ts';
import type { AppEnv } from '../http/env.ts';
import { otherMethods } from '../http/other-methods.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { createFileSender } from './file-sender.ts';

/**
 * Content security policy of the hosted page and the console: it sends requests only to its own origin, loads
 * images also from the configured origins of its agent, and only Lit templates may write HTML.
 */
const hostedPolicy = (imageOrigins: readonly string[], base = "'none'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ["img-src 'self' data: blob:", ...new Set(imageOrigins)].join(' '),
    `base-uri ${base}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');

type WebServices = Pick<Services, 'webDirectory' | 'agents' | 'version' | 'config'>;

/** Keeps the CORS headers in a 304, because browsers apply the CORS checks to it as well. */
const withEtag = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'cross-origin-resource-policy',
    'x-content-type-options',
    'x-request-id',
  ],
});

const immutable = 'public, max-age=31536000, immutable';

/** The files for browsers: the script of the script tag, its chunks, the hosted page and the console. */
export function webFiles({ webDirectory, agents, version, config }: WebServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const files = createFileSender(webDirectory);

  app.get('/inlay.js', withEtag, (c) => {
    // The URL has no hash, so caches keep the file only for a short time. For a day, a browser may
    // use the stale file while it fetches the current one.
    c.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
    return sendScript(c, 'inlay.js');
  });

  // Browsers request the icon without a link to it; a 404 would log an error in the console of
  // every page.
  app.get('/favicon.ico', (c) => {
    c.header('cache-control', 'public, max-age=86400');
    return c.body(null, 204);
  });

  app.get('/assets/:name', withEtag, (c) => {
    // File names contain a hash of the content.
    c.header('cache-control', immutable);
    return sendScript(c, 'assets', c.req.param('name'));
  });

  // For host pages with Subresource Integrity.
  app.get('/v/:version/inlay.js', withEtag, (c) => {
    c.header('cache-control', immutable);
    return sendScript(c, ...folderOf(c.req.param('version')), 'inlay.js');
  });

  // `inlay.js` refers to its chunks relative to its own URL.
  app.get('/v/:version/assets/:name', withEtag, (c) => {
    c.header('cache-control', immutable);
    return sendScript(c, ...folderOf(c.req.param('version')), 'assets', c.req.param('name'));
  });

  app.get('/hosted', (c) => c.redirect('/hosted/', 308));

  app.get('/hosted/', compress({ threshold: 0 }), async (c) => {
    const page = await files.read('hosted', 'index.html');
    if (!page) throw notFound(notBuilt);
    const agent = agents.find(c.req.query('agent') ?? '');
    setPageHeaders(c, hostedPolicy(agent?.appearance.image_origins ?? []));
    return c.html(withAgent(Buffer.from(page.content).toString('utf8'), agent));
  });

  if (config.console.enabled) {
    const { path } = config.console;
    app.get('/console', (c) => c.redirect(`${path}/`, 308));
    // All pages of the console are one document. Its scripts are relative to the first page.
    app.get('/console/*', compress({ threshold: 0 }), async (c) => {
      const page = await files.read('console', 'index.html');
      if (!page) throw notFound(notBuilt);
      setPageHeaders(c, hostedPolicy([], "'self'"));
      return c.html(
        Buffer.from(page.content)
          .toString('utf8')
          .replace('<head>', `<head><base href="${path}/">`),
      );
    });
  }

  const paths = [
    ...(config.console.enabled ? ['/console', '/console/*'] : []),
    '/inlay.js',
    '/favicon.ico',
    '/assets/:name',
    '/v/:version/inlay.js',
    '/v/:version/assets/:name',
    '/hosted',
    '/hosted/',
  ];
  for (const path of paths) app.all(path, otherMethods(['GET']));

  return app;

  /**
   * Adds the agent's name and return URL to the page, which shows them even if its link has expired
   * and it gets no token.
   */
  function withAgent(page: string, agent: Agent | null) {
    if (!agent) return page;
    const url = returnUrlOf(agent);
    const name = html`<meta name="inlay-agent-name" content="${agent.name}">`;
    const returnUrl = url ? html`<meta name="inlay-return-url" content="${url}">` : '';
    // A function, because `$` in a replacement string has a special meaning.
    return page.replace('</head>', () => `${name}${returnUrl}</head>`);
  }

  /** Path of a version's files: the top directory for the current version, else `v/<version>`. */
  function folderOf(requestedVersion: string): string[] {
    return requestedVersion === version ? [] : ['v', requestedVersion];
  }

  /** Sends a script or style, which any page may load, including cross-origin isolated ones. */
  async function sendScript(c: Context<AppEnv>, ...path: string[]) {
    const sent = await files.send(c, ...path);
    if (sent) {
      sent.headers.set('access-control-allow-origin', '*');
      sent.headers.set('cross-origin-resource-policy', 'cross-origin');
      return sent;
    }
    c.header('cache-control', 'no-store');
    if (path[0] === 'inlay.js') throw notFound(notBuilt);
    if (path[0] === 'v') throw notFound(versionNotServed(version));
    throw notFound('There is no such file. Reload a page that was open during an update.');
  }
}

function setPageHeaders(c: Context<AppEnv>, policy: string): void {
  c.header('content-security-policy', policy);
  c.header('referrer-policy', 'no-referrer');
  c.header('cache-control', 'no-store');
  c.header('cross-origin-opener-policy', 'same-origin');
  c.header('x-frame-options', 'DENY');
}

/** The return URL in the agent's settings, or else its only allowed origin. */
function returnUrlOf(agent: Agent): string | null {
  const [origin, ...others] = policyOf(agent).allowed_origins;
  const isOnlySite = origin && others.length === 0 && !origin.includes('*');
  return agent.hosted.return_url ?? (isOnlySite ? origin : null);
}

export const notBuilt =
  'The files for browsers are not built. Run `npm run build:web` in the repository, then reload.';

const versionNotServed = (version: string) =>
  `This platform serves the version ${version}, at \`/v/${version}/inlay.js\`. To keep serving an earlier one, copy its files into \`v/<version>/\` of the web directory.`;
