import { problems } from '@inlay/protocol';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { html } from 'hono/html';
import type { AppEnv } from '../http/env.ts';
import { otherMethods } from '../http/other-methods.ts';
import { notFound } from '../problems/api-error.ts';
import {
  codesOfFamilies,
  type ExplainedProblem,
  platformProblems,
} from '../problems/platform-codes.ts';

/** All problems with a page: the problems of this server, and of the platform's other services. */
export const explainedProblems: readonly ExplainedProblem[] = [
  ...Object.entries(problems).map(([code, definition]) => ({
    codes: [code, ...(codesOfFamilies[code] ?? [])],
    ...definition,
  })),
  ...platformProblems,
];

/** Further page names that occur in `type` (docs/conformance.md, 8.3.2). */
const otherNames = { rate_limit_error: 'RATE_LIMITED' } as const;

/**
 * The pages that `type` of a problem links to, as HTML or JSON. They load no resources and run no
 * scripts, so that the content security policy can forbid everything.
 */
export function problemPages(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const byName = new Map(explainedProblems.map((problem) => [problem.name, problem]));
  for (const [name, code] of Object.entries(otherNames)) {
    byName.set(name, { codes: [code], ...problems[code] });
  }

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
    if (type !== 'text/html') return c.json(toJson(problem));
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

function toJson({
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
        <dt>Who can fix it</dt><dd>${origin}</dd>
        <dt>May an unchanged retry succeed?</dt><dd>${retryable ? 'Yes, with backoff' : 'No'}</dd>
      </dl>
    </main>
  </body>
</html>`;
}
