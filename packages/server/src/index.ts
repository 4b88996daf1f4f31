export * from './lib/app.ts';
// What `createApp` stands on, for a server that is put together by hand.
export * from './lib/bus/bus.ts';
export { createInProcessBus } from './lib/bus/in-process-bus.ts';
export { type Config, type ConfigInput, defineConfig } from './lib/config/config.ts';
export { loadConfig } from './lib/config/load-config.ts';
export { ConfigError, parseConfig } from './lib/config/parse-config.ts';
export type { ToolContext, ToolFunction } from './lib/config/tools.ts';
export type { Deps } from './lib/deps.ts';
export { createInProcessLimiter } from './lib/limits/in-process-limiter.ts';
export * from './lib/limits/limiter.ts';
export { createLogger, type Logger } from './lib/log/logger.ts';
export { type Clock, systemClock } from './lib/ports/clock.ts';
export { hashSecret, type Random, systemRandom } from './lib/ports/random.ts';
export { type RunningServer, type StartOptions, startServer } from './lib/start-server.ts';
export { createPostgresStore } from './lib/store/postgres-store.ts';
export { createSqliteStore } from './lib/store/sqlite-store.ts';
export type { Store } from './lib/store/store.ts';
