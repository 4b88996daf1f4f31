import { type ProblemDefinition, problems } from '@inlay/protocol';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { AppEnv } from '../http/env.ts';
import { notFound } from '../problems/api-error.ts';

/**
 * The pages behind the `type` of problems: what the error means, and what to do about it. They load
 * nothing and run nothing, so that the strictest policy fits them.
 */
export function problemPages(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get('/:name', (c) => {
    const name = c.req.param('name');
    const entry = Object.entries(problems).find(([, definition]) => definition.name === name);
    if (!entry) throw notFound('There is no problem of this name.');
    c.header(
      'content-security-policy',
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    c.header('referrer-policy', 'no-referrer');
    c.header('cache-control', 'public, max-age=3600');
    return c.html(page(...entry));
  });

  return app;
}

function page(code: string, problem: ProblemDefinition) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${problem.title} · ${code}</title>
  </head>
  <body>
    <main>
      <h1>${problem.title}</h1>
      <p>${problem.help}</p>
      <dl>
        <dt>Code</dt><dd><code>${code}</code></dd>
        <dt>HTTP status</dt><dd>${problem.status}</dd>
        <dt>Who can put it right</dt><dd>${problem.origin}</dd>
        <dt>May an unchanged retry succeed?</dt><dd>${problem.retryable ? 'Yes, with backoff' : 'No'}</dd>
      </dl>
    </main>
  </body>
</html>`;
}
