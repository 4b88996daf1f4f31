import type { AgentRegistry } from './agents/agent-registry.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Logger } from './log/logger.ts';
import type { Clock } from './ports/clock.ts';
import type { Random } from './ports/random.ts';
import type { Store } from './store/store.ts';

/**
 * External dependencies of the server. No other module reads the environment, the clock or random
 * numbers.
 */
export interface Deps {
  config: Config;
  /** Public URL without a trailing slash: `https://chat.example.com`. */
  baseUrl: string;
  store: Store;
  bus: Bus;
  clock: Clock;
  random: Random;
  log: Logger;
  limiter: Limiter;
  /** Hashes (`hashSecret`) of the API keys from the environment; other keys are in the store. */
  apiKeyHashes: readonly string[];
  /** Reads a secret by the name of its environment variable; undefined if it is not set. */
  secret: (name: string) => string | undefined;
  /** Directory of the files for browsers: `inlay.js`, `assets/`, the hosted page. */
  webDirectory: string;
  /** The server's version, for the health check and the API description. */
  version: string;
}

/** The dependencies, and what `createApp` adds for all routes. */
export interface Services extends Deps {
  agents: AgentRegistry;
}
