import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { html } from 'hono/html';
import { parseAccept } from 'hono/utils/accept';
import type { Services } from '../deps.ts';
import type { AppEnv } from '../http/env.ts';
import { otherMethods } from '../http/other-methods.ts';
import { demoPicture, demoPicturePath } from '../models/scripted/demo-picture.ts';
import { notFound } from '../problems/api-error.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * The hosted page talks with its own origin and nobody else, loads images from where some agent may
 * show them, and writes HTML through Lit's templates alone.
 */
const hostedPolicy = (imageOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ["img-src 'self' data: blob:", ...new Set(imageOrigins)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');

type WebServices = Pick<Services, 'webDirectory' | 'agents' | 'version'>;

/** Encodings that `npm run build:web` writes beside each file, the smallest first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Browsers check a 304 that answers a CORS request as they would check the full answer. */
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

/** What browsers load from the platform: the script tag's file, what it needs, the hosted page. */
export function webFiles({ webDirectory, agents, version }: WebServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get('/inlay.js', withEtag, (c) => {
    // Its name never changes, so it is asked for again soon; a day of the old one is worth its speed.
    c.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
    return sendScript(c, 'inlay.js');
  });

  // Browsers ask for it by themselves; a 404 would stand as an error in the console of every page.
  app.get('/favicon.ico', (c) => {
    c.header('cache-control', 'public, max-age=86400');
    return c.body(null, 204);
  });

  app.get('/assets/:name', withEtag, (c) => {
    // Names hold a hash of the content: what a name stands for never changes.
    c.header('cache-control', immutable);
    return sendScript(c, 'assets', c.req.param('name'));
  });

  // Pinned by host pages that use Subresource Integrity.
  app.get('/v/:version/inlay.js', withEtag, (c) => {
    c.header('cache-control', immutable);
    return sendScript(c, ...folderOf(c.req.param('version')), 'inlay.js');
  });

  // `inlay.js` names its chunks relative to its own address.
  app.get('/v/:version/assets/:name', withEtag, (c) => {
    c.header('cache-control', immutable);
    return sendScript(c, ...folderOf(c.req.param('version')), 'assets', c.req.param('name'));
  });

  app.get(demoPicturePath, (c) => {
    c.header('cache-control', 'public, max-age=86400');
    c.header('cross-origin-resource-policy', 'cross-origin');
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    c.header('content-type', 'image/svg+xml');
    return c.body(demoPicture);
  });

  app.get('/hosted', (c) => c.redirect('/hosted/', 308));

  app.get('/hosted/', compress({ threshold: 0 }), async (c) => {
    const page = await read('hosted', 'index.html');
    if (!page) throw notFound(notBuilt);
    const imageOrigins = agents.list().flatMap(({ appearance }) => appearance.image_origins);
    c.header('content-security-policy', hostedPolicy(imageOrigins));
    c.header('referrer-policy', 'no-referrer');
    c.header('cache-control', 'no-store');
    c.header('cross-origin-opener-policy', 'same-origin');
    c.header('x-frame-options', 'DENY');
    return c.html(withWayBack(page.toString('utf8'), c.req.query('agent')));
  });

  const paths = [
    '/inlay.js',
    '/favicon.ico',
    '/assets/:name',
    '/v/:version/inlay.js',
    '/v/:version/assets/:name',
    demoPicturePath,
    '/hosted',
    '/hosted/',
  ];
  for (const path of paths) app.all(path, otherMethods(['GET']));

  return app;

  /** Tells the page where its agent's people come from, also when their link is of no use any more. */
  function withWayBack(page: string, agentId = '') {
    const url = agents.find(agentId)?.hosted.return_url;
    if (!url) return page;
    // A function, because `$` in an address must not stand for parts of the page.
    return page.replace(
      '</head>',
      () => `${html`<meta name="inlay-return-url" content="${url}">`}</head>`,
    );
  }

  /** Where a version lies in the web directory: this one at its top, kept ones in `v/<version>`. */
  function folderOf(name: string): string[] {
    return name === version ? [] : ['v', name];
  }

  /** Scripts and styles are for every page that embeds a widget, isolated ones included. */
  async function sendScript(c: Context<AppEnv>, ...path: string[]) {
    const { file, encoding } = await readEncoded(c.req.header('accept-encoding') ?? '', path);
    if (!file) {
      c.header('cache-control', 'no-store');
      if (path[0] === 'inlay.js') throw notFound(notBuilt);
      if (path[0] === 'v') throw notFound(otherVersion(version));
      throw notFound('There is no such file. A page that was open during an update has to reload.');
    }
    c.header('access-control-allow-origin', '*');
    c.header('cross-origin-resource-policy', 'cross-origin');
    c.header('vary', 'Accept-Encoding', { append: true });
    if (encoding) c.header('content-encoding', encoding);
    c.header('content-type', types[extname(path.at(-1) ?? '')] ?? 'application/octet-stream');
    return c.body(new Uint8Array(file));
  }

  /** The smallest form of a file that the client accepts (RFC 9110, section 12.5.3). */
  async function readEncoded(accept: string, path: readonly string[]) {
    const accepted = parseAccept(accept).filter(({ q }) => q > 0);
    for (const [encoding, suffix] of encodings) {
      if (!accepted.some(({ type }) => type === encoding || type === '*')) continue;
      const file = await read(...path.slice(0, -1), `${path.at(-1)}${suffix}`);
      if (file) return { file, encoding };
    }
    return { file: await read(...path), encoding: null };
  }

  async function read(...path: string[]): Promise<Buffer | null> {
    // One plain name for each step, so that no address leads out of the directory.
    if (!path.every((part) => /^[\w-][\w.-]*$/.test(part))) return null;
    return readFile(join(webDirectory, ...path)).catch(() => null);
  }
}

const notBuilt =
  'The files for browsers are not built. Run `npm run build:web` in the repository, then reload.';

const otherVersion = (version: string) =>
  `This platform serves the version ${version}, at \`/v/${version}/inlay.js\`. To keep serving an earlier one, copy its files into \`v/<version>/\` of the web directory.`;
