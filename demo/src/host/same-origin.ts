import { createMiddleware } from 'hono/factory';

/**
 * Refuses what another site's page asks for: cookies come along there too. Browsers say where a
 * request comes from in `Sec-Fetch-Site`; an older one is judged by its `Origin`. A request with
 * neither comes from no page.
 */
export const sameOrigin = createMiddleware(async function sameOrigin(c, next) {
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const foreign = site
    ? site !== 'same-origin' && site !== 'none'
    : origin !== undefined && origin !== new URL(c.req.url).origin;
  if (foreign) return c.json({ detail: 'Only pages of this site may ask for this.' }, 403);
  await next();
});
