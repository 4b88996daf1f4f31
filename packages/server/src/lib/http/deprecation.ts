import type { Context } from 'hono';
import type { Deprecation } from '../config/deprecation.ts';
import { ConfigError } from '../config/parse-config.ts';
import type { AppEnv } from './env.ts';
import { type Route, routeName } from './route.ts';

/**
 * Adds the deprecations of the configuration to the routes that they name.
 *
 * @throws ConfigError if a route does not exist.
 */
export function withDeprecations(
  routes: readonly Route[],
  deprecations: Readonly<Record<string, Deprecation>>,
): Route[] {
  const names = new Set(routes.map(({ description }) => routeName(description)));
  for (const name of Object.keys(deprecations)) {
    if (names.has(name)) continue;
    throw new ConfigError(
      `deprecations names \`${name}\`, but there is no such route. Write it as in the API description, with \`:name\` for parameters: \`GET /agent/v1/sessions/:id\`.`,
    );
  }
  return routes.map((route) => {
    const deprecated = deprecations[routeName(route.description)] ?? route.description.deprecated;
    return deprecated ? { ...route, description: { ...route.description, deprecated } } : route;
  });
}

/**
 * Adds the deprecation headers to a response: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`
 * (docs/conformance.md, 9).
 */
export function announceDeprecation(
  c: Context<AppEnv>,
  { since, sunset, link, successor }: Deprecation,
): void {
  // A date (RFC 9651): seconds since the epoch, after an @.
  c.header('deprecation', `@${Math.floor(Date.parse(since) / 1000)}`);
  c.header('sunset', new Date(sunset).toUTCString());
  const links = [`<${link}>; rel="deprecation"; type="text/html"`, `<${link}>; rel="sunset"`];
  if (successor) links.push(`<${successor}>; rel="successor-version"`);
  c.header('link', links.join(', '));
}

/** Whether a deprecated route is removed at `now`, in milliseconds since the epoch. */
export function isAfterSunset({ sunset }: Deprecation, now: number): boolean {
  return now >= Date.parse(sunset);
}
