import type { Bus } from './bus/bus.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Logger } from './log/logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Random } from './random.ts';
import type { Store } from './store/store.ts';
import type { LookupHost } from './webhooks/public-address.ts';

/**
 * External dependencies of the services, which read environment variables, the clock and random
 * numbers only through them.
 */
export interface ServiceOptions {
  readonly config: Config;
  /** Public URL without a trailing slash: `https://chat.example.com`. */
  readonly baseUrl: string;
  /** Public URL of the console, without a slash at the end. */
  readonly consoleUrl: string;
  readonly store: Store;
  readonly bus: Bus;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Hashes (`hashSecret`) of the API keys from the environment; other keys are in the store. */
  readonly apiKeyHashes: readonly string[];
  /** Reads a secret by the name of its environment variable; undefined if it is not set. */
  readonly secret: (name: string) => string | undefined;
  /** Resolves the hosts of webhook endpoints. By default the resolver of the operating system. */
  readonly lookupHost?: LookupHost | undefined;
  /** Undefined unless the configuration serves them. */
  readonly metrics?: Metrics | undefined;
  /** Directory of the files for browsers: `inlay.js`, `assets/`, the hosted page. */
  readonly webDirectory: string;
  /** The server's version, for the health check and the API description. */
  readonly version: string;
}
