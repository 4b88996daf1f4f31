export * from './lib/app.ts';
export { type Config, type ConfigInput, defineConfig } from './lib/config/config.ts';
export type { ToolContext, ToolFunction } from './lib/config/tools.ts';
export type { Deps } from './lib/deps.ts';
