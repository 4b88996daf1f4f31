import type { AgentRegistry } from './agents/agent-registry.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config/config.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Logger } from './log/logger.ts';
import type { Clock } from './ports/clock.ts';
import type { Random } from './ports/random.ts';
import type { Store } from './store/store.ts';

/** What the server stands on. Nothing below reads the environment, a clock or chance by itself. */
export interface Deps {
  config: Config;
  /** Public address without a trailing slash: `https://chat.example.com`. */
  baseUrl: string;
  store: Store;
  bus: Bus;
  clock: Clock;
  random: Random;
  log: Logger;
  limiter: Limiter;
  /** Hashes of the API keys of the environment, as `hashSecret` makes them; others are in the store. */
  apiKeyHashes: readonly string[];
  /** Secrets that the configuration names by environment variable; undefined for one unset. */
  secret: (name: string) => string | undefined;
  /** Directory of what browsers load: `inlay.js`, `assets/`, the hosted page. */
  webDirectory: string;
  /** The server's own version, for health and the API description. */
  version: string;
}

/** The ports, and what `createApp` builds on them for every route. */
export interface Services extends Deps {
  agents: AgentRegistry;
}
