/** Options of the demo, from environment variables (see demo/README.md). */
export interface DemoOptions {
  /** Port of the platform; 0 for any free port. */
  platformPort: number;
  /** Port of the host site; 0 for any free port. */
  hostPort: number;
  /** Public URL of the platform behind a reverse proxy; null for its own port. */
  platformUrl: string | null;
  /** Directory of the platform's store, or `memory`. */
  data: string;
  /** Whether to print the addresses as one line of JSON. */
  json: boolean;
}

/** An invalid option. The message names the option and the remedy. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/**
 * Reads the options from environment variables.
 *
 * @throws {OptionError} If a value is invalid.
 */
export function readOptions(environment: NodeJS.ProcessEnv): DemoOptions {
  return {
    platformPort: parsePort('PORT', environment.PORT, 8787),
    hostPort: parsePort('DEMO_PORT', environment.DEMO_PORT, 8788),
    platformUrl: parseOrigin('DEMO_PLATFORM_URL', environment.DEMO_PLATFORM_URL),
    // Another store for a real model, because a store keeps changes of the model.
    data: environment.INLAY_DATA || (environment.INLAY_MODEL ? '.inlay/demo-model' : '.inlay/demo'),
    json: environment.DEMO_JSON === '1',
  };
}

function parsePort(name: string, value: string | undefined, fallback: number): number {
  if (!value) return fallback;
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new OptionError(
    `${name} is "${value}". It must be a port: 0 to 65535, or 0 for any free port.`,
  );
}

function parseOrigin(name: string, value: string | undefined): string | null {
  if (!value) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new OptionError(
    `${name} is "${value}". It must be a URL without a path, such as http://localhost:8790.`,
  );
}
