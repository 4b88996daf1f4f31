import { isIP } from 'node:net';
import * as z from 'zod';
import { AgentConfig } from './agent.ts';
import { CompatiblePrefixes, PathPrefix } from './compatible.ts';
import { Deprecation } from './deprecation.ts';
import { Limits } from './limits.ts';
import { ModelPrice } from './model.ts';
import { CatalogueModels, catalogueFaults } from './models.ts';
import { isOrigin, ObjectStorage } from './object-storage.ts';
import { Oidc } from './oidc.ts';
import { sessionDaysFault, sessionDaysPath } from './session-days.ts';
import { unpricedModels } from './unpriced-models.ts';
import { VisitorChallenge } from './visitor-challenge.ts';

/** The configuration. Secrets are not part of it: they are environment variables. */
export const Config = z
  .strictObject({
    /** The agents. */
    agents: z.array(AgentConfig).min(1, 'must hold at least one agent'),
    /**
     * Prices of models by name, for all budgets. A free model has a price of 0; a model without a price cannot be
     * used if a budget or a publishable key limits the spending.
     */
    prices: z
      .record(z.string(), ModelPrice)
      .default({})
      // Without a prototype, because requests and agents name models: `constructor` has no price.
      .transform((prices): typeof prices => Object.assign(Object.create(null), prices)),
    /** Models that API keys can use at `/model/v1`. Agents have their own `model`. */
    models: CatalogueModels,
    /** Prefixes for official clients of other APIs, and the upstreams that they forward to. */
    compatible: CompatiblePrefixes,
    limits: Limits,
    streams: z
      .strictObject({
        /**
         * Maximum seconds for which a process that received SIGTERM finishes the answers, background
         * responses and requests in progress. It starts no others. It ends its streams gradually, to
         * avoid a reconnect storm: 300 streams a second, or more if this time is too short for that.
         * Requests that are still in progress afterwards get 5 more seconds; unfinished answers and
         * responses are continued by other processes, which call the model again. Send SIGKILL no earlier
         * than `drain_seconds` + 15 seconds after SIGTERM.
         */
        drain_seconds: z.int().min(0).max(3600).default(45),
      })
      .prefault({}),
    /**
     * How long the platform stores ended tokens, inactive sessions, consents, objects of the chat-model
     * family, and the audit record. An hourly sweep deletes older ones.
     */
    retention: z
      .strictObject({
        /** Days from the expiry of a token to the deletion of its record. */
        tokens_days: z.int().min(1).max(3650).default(2),
        /** Days from the last message of a session to its deletion; null keeps sessions. */
        sessions_days: z.int().min(1).max(36_500).nullable().default(365),
        /** Days for which `GET /agent/v1/usage` has sums. */
        usage_days: z.int().min(1).max(3650).default(400),
        /** Days from the creation of a response or a video of the chat-model family to its deletion. */
        responses_days: z.int().min(1).max(3650).default(30),
        /** Days from the last item of a conversation of the chat-model family to its deletion; null keeps conversations. */
        conversations_days: z.int().min(1).max(36_500).nullable().default(null),
        /** Days from an event to the deletion of its webhook deliveries, also of those that failed. */
        webhook_deliveries_days: z.int().min(7).max(3650).default(30),
        /**
         * Days from a consent, and from the last message of its user, to its deletion. It is kept as long as
         * the user has a conversation. The default is three years.
         */
        consents_days: z.int().min(1).max(36_500).default(1_095),
        /** Days from an operation of an API key or a command to the deletion of its entry in the audit record. */
        audit_days: z.int().min(1).max(36_500).default(400),
      })
      .prefault({}),
    /** Where webhooks are sent. */
    webhooks: z
      .strictObject({
        /**
         * Host names and IP addresses to which webhooks are sent although they are not public, with HTTPS
         * or HTTP: `'receiver.internal'`. Everything else must use HTTPS, and have public addresses.
         */
        allowed_private_hosts: z
          .array(
            z
              .string()
              .refine(
                (host) => isIP(host) !== 0 || /^[\w-]+(?:\.[\w-]+)*$/.test(host),
                'must be a host name or an IP address, without scheme, port and brackets',
              ),
          )
          .default([]),
      })
      .prefault({}),
    /** Where `GET /metrics` is served. By default nowhere. */
    metrics: z
      .strictObject({
        /** Port of a second server, on the address of the first, without a credential; null for none. */
        port: z.int().min(0).max(65_535).nullable().default(null),
        /**
         * Environment variable with the bearer token of `GET /metrics` on the port of the platform; null
         * for no metrics there.
         */
        token_env: z.string().min(1, 'must not be empty').nullable().default(null),
      })
      .prefault({}),
    /** The traces that OpenTelemetry records if it is installed. */
    telemetry: z
      .strictObject({
        /**
         * Whether traces have the texts of messages, instructions, tool calls and their results. They are
         * then sent to wherever the traces are sent.
         */
        content: z.boolean().default(false),
      })
      .prefault({}),
    /** The console, where operators sign in to read conversations. */
    console: z
      .strictObject({
        /** Whether the platform serves the console. */
        enabled: z.boolean().default(true),
        /** First segment of the console's paths, with a slash. */
        path: PathPrefix.default('/console'),
        /**
         * Port of a server of its own for the console, on the address of the platform, which then does
         * not serve it; null for none.
         */
        port: z.int().min(0).max(65_535).nullable().default(null),
        /**
         * Public URL of the console, such as `https://console.example.com`. By default that of the
         * platform, or `port` of localhost.
         */
        base_url: z
          .string()
          .refine(isOrigin, 'must be a URL without a path, such as `https://console.example.com`')
          .transform((url) => new URL(url).origin)
          .nullable()
          .default(null),
        /** Sign-in through an OpenID Connect provider; null for none. */
        oidc: Oidc.nullable().default(null),
      })
      .prefault({}),
    vector_stores: z
      .strictObject({
        /**
         * Id of the model of the catalogue that embeds the texts and queries of vector stores; null for
         * searches by full text only. By default the first model that offers `embeddings`.
         */
        embedding_model: z.string().nullable().optional(),
      })
      .prefault({}),
    /** Name of the tenant that this server belongs to. It is `owner` of actions, scripts and workflows. */
    tenant: z.string().min(1, 'must not be empty').max(64).default('default'),
    /** Routes that will be removed, by method and path: `'GET /agent/v1/sessions/:id'`. */
    deprecations: z.record(z.string(), Deprecation).default({}),
    /**
     * Number of proxies in front of this server. The outermost of them appended the address of the
     * client to `X-Forwarded-For`. With 0, the header is ignored.
     */
    trusted_proxies: z.int().min(0).max(10).default(0),
    store: z
      .strictObject({
        /** `full` survives a power failure; `normal` is faster and may lose the last commits. */
        synchronous: z.enum(['full', 'normal']).default('full'),
        /**
         * Free bytes of the disk below which visitors cannot upload files to the embedded store, so
         * that the rest of the disk remains for messages. 0 for no such limit.
         */
        minimum_free_bytes: z
          .int('must be a whole number of bytes')
          .min(0, 'must not be negative')
          .default(1_073_741_824),
        /** Bucket for uploaded files; null stores them beside the database. */
        object_storage: ObjectStorage.nullable().default(null),
      })
      .prefault({}),
    /** Challenge that visitors have to pass when half of a day's quota is used; null for none. */
    visitor_challenge: VisitorChallenge.nullable().default(null),
    /** Directory of the files for browsers. By default the files of the package are used. */
    web_directory: z.string().optional(),
  })
  .superRefine((config, context) => {
    for (const { path, message } of catalogueFaults(config.models, config.prices)) {
      context.addIssue({ code: 'custom', path: ['models', ...path], message });
    }
    for (const [name, { prefix }] of Object.entries(config.compatible)) {
      if (prefix !== config.console.path) continue;
      const message = `is already the prefix of \`compatible.${name}\`. Choose another one`;
      context.addIssue({ code: 'custom', path: ['console', 'path'], message });
    }
    const embeddingModel = config.vector_stores.embedding_model;
    if (
      typeof embeddingModel === 'string' &&
      !config.models.some(
        ({ id, supported_apis: apis }) => id === embeddingModel && apis.includes('embeddings'),
      )
    ) {
      context.addIssue({
        code: 'custom',
        path: ['vector_stores', 'embedding_model'],
        message: `must be the id of a model in \`models\` whose \`supported_apis\` has \`embeddings\``,
      });
    }
    const owners = new Map<string, string>();
    config.agents.forEach((agent, index) => {
      const message = sessionDaysFault(agent, config);
      if (message !== null) {
        context.addIssue({ code: 'custom', path: ['agents', index, ...sessionDaysPath], message });
      }
      for (const { path, message } of unpricedModels(agent, config.prices)) {
        context.addIssue({ code: 'custom', path: ['agents', index, ...path], message });
      }
      const names: [string, string][] = [
        [agent.short_id, 'short_id'],
        ...(agent.id ? [[agent.id, 'id'] as [string, string]] : []),
        ...agent.publishable_keys.map(({ key }): [string, string] => [key, 'publishable_keys']),
      ];
      for (const [name, field] of names) {
        const owner = owners.get(name);
        if (owner !== undefined) {
          context.addIssue({
            code: 'custom',
            path: ['agents', index, field],
            message: `\`${name}\` is already used by ${owner}`,
          });
        }
        owners.set(name, `agents[${index}]`);
      }
    });
  });
export type Config = z.output<typeof Config>;
/**
 * The configuration as written in `inlay.config.ts`: all fields except the agents have defaults.
 */
export type ConfigInput = z.input<typeof Config>;

/** Identity function that gives `inlay.config.ts` its types. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
