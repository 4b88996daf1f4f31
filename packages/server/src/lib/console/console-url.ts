import { getPath } from 'hono/utils/url';
import type { Config } from '../config/config.ts';

/** Path under which the console's routes are described, wherever `console.path` moves them. */
export const describedPath = '/console';

/**
 * Returns the public URL of the console.
 *
 * @param address.baseUrl Public URL of the platform.
 * @param address.port Port of the console; null if it is served on that of the platform.
 */
export function consoleUrlFrom(
  { console: { base_url: url, path } }: Pick<Config, 'console'>,
  { baseUrl, port }: { baseUrl: string; port: number | null },
): string {
  return (url ?? (port === null ? baseUrl : `http://localhost:${port}`)) + path;
}

/**
 * Returns a function that returns the path by which a request is routed. It exchanges `console.path` and the
 * path of the routes' descriptions, so that each path has one console, and the other one nothing.
 */
export function createPathReader({
  console: { path },
}: Pick<Config, 'console'>): (request: Request) => string {
  if (path === describedPath) return getPath;
  const isBelow = (requested: string, prefix: string) =>
    requested === prefix || requested.startsWith(`${prefix}/`);
  return (request) => {
    const requested = getPath(request);
    if (isBelow(requested, path)) return describedPath + requested.slice(path.length);
    if (isBelow(requested, describedPath)) return path + requested.slice(describedPath.length);
    return requested;
  };
}
