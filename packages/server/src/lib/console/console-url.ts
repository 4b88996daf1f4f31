import type { Config } from '../config/config.ts';

/**
 * Returns the public URL of the console, without `/console`.
 *
 * @param address.baseUrl Public URL of the platform.
 * @param address.port Port of the console; null if it is served on that of the platform.
 */
export function consoleUrlFrom(
  { console: { base_url: url } }: Pick<Config, 'console'>,
  { baseUrl, port }: { baseUrl: string; port: number | null },
): string {
  return url ?? (port === null ? baseUrl : `http://localhost:${port}`);
}
