import { createMiddleware } from 'hono/factory';

/**
 * Rejects requests from pages of other origins, to which browsers can attach cookies. Checks
 * `Sec-Fetch-Site`, or `Origin` in older browsers. A request without both headers is not from a page.
 */
export const sameOrigin = createMiddleware(async function sameOrigin(c, next) {
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const isCrossOrigin = site
    ? site !== 'same-origin' && site !== 'none'
    : origin !== undefined && origin !== new URL(c.req.url).origin;
  if (isCrossOrigin)
    return c.json({ detail: 'Only pages of this site may send this request.' }, 403);
  await next();
});
