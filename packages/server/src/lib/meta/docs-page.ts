import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import type { AppEnv } from '../http/env.ts';
import { otherMethods } from '../http/other-methods.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { createFileSender, toWebFile } from '../web/file-sender.ts';
import { notBuilt } from '../web/web-files.ts';

/** Content security policy. Swagger UI has icons with `data:` URLs, and no inline styles or scripts. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Starts Swagger UI without its forms for sending requests, because API keys do not belong in browsers
 * (docs/conformance.md, 5.5).
 */
const startScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setTheme);
setTheme();
SwaggerUIBundle({
  url: new URL('openapi.json', location.href).href,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  plugins: [
    { wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null } },
  ],
});
`;

/**
 * Styles of the page. They hide the disabled inputs that Swagger UI shows for sending requests, and the
 * column for links of responses, which the description does not have. Swagger UI has no colour for
 * response headers in its dark mode.
 */
const startStyle = `:root { color-scheme: light dark; }
body { margin: 0; }
.swagger-ui .scheme-container,
.swagger-ui .response-col_links,
.swagger-ui .parameters-col_description :is(input, select, textarea):disabled { display: none; }
.swagger-ui table.headers td { color: inherit; }
`;

const startFiles = [
  ['/start.js', toWebFile(Buffer.from(startScript)), 'text/javascript'],
  ['/start.css', toWebFile(Buffer.from(startStyle)), 'text/css'],
] as const;

/** Files of Swagger UI, in `api-reference/` of the web directory. */
const viewerFiles = new Set(['swagger-ui-bundle.js', 'swagger-ui.css']);

/**
 * The API reference page at `/meta/v1/docs`, which renders the API description. This server serves all
 * its files.
 */
export function docsPage({ webDirectory }: Pick<Services, 'webDirectory'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const files = createFileSender(webDirectory);

  app.get('/', async (c) => {
    if (!(await files.read('api-reference', 'swagger-ui.css'))) throw notFound(notBuilt);
    c.header('content-security-policy', policy);
    c.header('referrer-policy', 'no-referrer');
    c.header('x-frame-options', 'DENY');
    c.header('cache-control', 'no-cache');
    return c.html(page);
  });

  for (const [path, { content, tag }, type] of startFiles) {
    app.get(path, etag(), (c) =>
      c.body(content, 200, { etag: tag, 'content-type': `${type}; charset=utf-8` }),
    );
  }

  app.get('/:name', etag(), async (c) => {
    const name = c.req.param('name');
    c.header('cache-control', 'public, max-age=3600');
    const sent = viewerFiles.has(name) ? await files.send(c, 'api-reference', name) : null;
    if (sent) return sent;
    c.header('cache-control', 'no-store');
    throw notFound();
  });

  for (const path of ['/', '/:name']) app.all(path, otherMethods(['GET']));
  return app;
}

// The URLs are relative, so that a proxy can serve the platform below a path.
const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/start.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <main id="reference"></main>
    <noscript>This page needs JavaScript. The description is at <a href="openapi.json">openapi.json</a>.</noscript>
  </body>
</html>`;
