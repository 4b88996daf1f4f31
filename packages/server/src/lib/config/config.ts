import * as z from 'zod';
import { AgentConfig } from './agent.ts';
import { Deprecation } from './deprecation.ts';
import { Limits } from './limits.ts';
import { ModelPrice } from './model.ts';
import { unpricedModels } from './unpriced-models.ts';

/** Everything that can be configured. Secrets are not here: they come from the environment. */
export const Config = z
  .strictObject({
    agents: z.array(AgentConfig).min(1, 'must hold at least one agent'),
    /**
     * Prices of models, by name. A free model has a price of 0; one without a price
     * cannot be used where a budget or a publishable key bounds what is spent.
     */
    prices: z.record(z.string(), ModelPrice).default({}),
    limits: Limits,
    streams: z
      .strictObject({
        /**
         * Longest time in seconds that a process which is told to stop (SIGTERM) takes to end its
         * streams, so that their clients do not all knock elsewhere at one moment. It needs as long
         * only for more than 13,000 streams; ten take no time. Requests that are still under way get
         * 5 seconds more, so let whoever sends SIGKILL wait 15 seconds longer than this.
         */
        drain_seconds: z.int().min(0).max(3600).default(45),
      })
      .prefault({}),
    /** How long what has ended is kept. Deleted by a sweep every hour. */
    retention: z
      .strictObject({
        /** Days from the expiry of a token to the deletion of its record. */
        tokens_days: z.int().min(1).max(3650).default(30),
        /** Days from the last message of a session to its deletion; null keeps sessions. */
        sessions_days: z.int().min(1).max(36_500).nullable().default(null),
      })
      .prefault({}),
    /** Routes that will go, by method and path: `'GET /agent/v1/sessions/:id'`. */
    deprecations: z.record(z.string(), Deprecation).default({}),
    /**
     * How many proxies stand before this server. Only the address that the last of them noted in
     * `X-Forwarded-For` is believed; with 0 the header is not read at all.
     */
    trusted_proxies: z.int().min(0).max(10).default(0),
    store: z
      .strictObject({
        /** `full` survives a power cut; `normal` is faster and may lose the last moments. */
        synchronous: z.enum(['full', 'normal']).default('full'),
      })
      .prefault({}),
    /** Directory of the files served to browsers; the package's own by default. */
    web_directory: z.string().optional(),
  })
  .superRefine((config, context) => {
    const seen = new Map<string, string>();
    config.agents.forEach((agent, index) => {
      for (const { path, message } of unpricedModels(agent, config.prices)) {
        context.addIssue({ code: 'custom', path: ['agents', index, ...path], message });
      }
      const names: [string, string][] = [
        [agent.short_id, 'short_id'],
        ...(agent.id ? [[agent.id, 'id'] as [string, string]] : []),
        ...agent.publishable_keys.map(({ key }): [string, string] => [key, 'publishable_keys']),
      ];
      for (const [name, field] of names) {
        const taken = seen.get(name);
        if (taken !== undefined) {
          context.addIssue({
            code: 'custom',
            path: ['agents', index, field],
            message: `\`${name}\` is taken already, by ${taken}`,
          });
        }
        seen.set(name, `agents[${index}]`);
      }
    });
  });
export type Config = z.output<typeof Config>;
/** What an author of `inlay.config.ts` writes: everything but the agents has a default. */
export type ConfigInput = z.input<typeof Config>;

/** Gives `inlay.config.ts` its types; changes nothing. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
