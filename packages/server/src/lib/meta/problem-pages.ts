import { problems } from '@inlay/protocol';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { html } from 'hono/html';
import type { AppEnv } from '../http/env.ts';
import { otherMethods } from '../http/other-methods.ts';
import { notFound } from '../problems/api-error.ts';
import { type ExplainedProblem, platformProblems } from '../problems/platform-codes.ts';

/** Every problem that has a page: those that this server answers with, and its platform's others. */
export const explainedProblems: readonly ExplainedProblem[] = [
  ...Object.entries(problems).map(([code, definition]) => ({ codes: [code], ...definition })),
  ...platformProblems,
];

/**
 * The pages behind the `type` of problems: what the error means, and what to do about it; as JSON
 * for who asks for that. They load nothing and run nothing, so that the strictest policy fits them.
 */
export function problemPages(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const byName = new Map(explainedProblems.map((problem) => [problem.name, problem]));

  app.get('/:name', (c) => {
    const problem = byName.get(c.req.param('name'));
    if (!problem) throw notFound('There is no problem of this name.');
    c.header('vary', 'Accept');
    c.header('cache-control', 'public, max-age=3600');
    c.header('access-control-allow-origin', '*');
    const type = accepts(c, {
      header: 'Accept',
      supports: ['text/html', 'application/json', 'application/problem+json'],
      default: 'text/html',
    });
    if (type !== 'text/html') return c.json(describe(problem));
    c.header(
      'content-security-policy',
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    c.header('referrer-policy', 'no-referrer');
    return c.html(page(problem));
  });
  app.all('/:name', otherMethods(['GET']));

  return app;
}

function describe({
  codes,
  name,
  title,
  status,
  kind,
  origin,
  retryable,
  recovery,
  help,
}: ExplainedProblem) {
  return { codes, name, title, status, kind, origin, retryable, recovery_action: recovery, help };
}

function page({ codes, title, help, status, origin, retryable }: ExplainedProblem) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · ${codes[0]}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${help}</p>
      <dl>
        <dt>Code</dt>${codes.map((code) => html`<dd><code>${code}</code></dd>`)}
        <dt>HTTP status</dt><dd>${status}</dd>
        <dt>Who can put it right</dt><dd>${origin}</dd>
        <dt>May an unchanged retry succeed?</dt><dd>${retryable ? 'Yes, with backoff' : 'No'}</dd>
      </dl>
    </main>
  </body>
</html>`;
}
