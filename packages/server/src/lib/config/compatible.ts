import * as z from 'zod';

/** First segments of the platform's own paths, which no compatible prefix can replace. */
export const nativeSegments = [
  'agent',
  'model',
  'sandbox',
  'search',
  'automation',
  'database',
  'media',
  'meta',
  'problems',
  'assets',
  'hosted',
  'v',
] as const;

/** The API that a compatible prefix forwards to. */
const Upstream = z.strictObject({
  /** URL that replaces the prefix and its version: `https://api.example.com/v1`. */
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  /** Name of the environment variable with the API key; omitted for an upstream without keys. */
  api_key_env: z.string().min(1).optional(),
  /** Maximum wait for the first byte, in milliseconds. A response that is not streamed starts when it is complete. */
  first_byte_timeout_ms: z.int().min(1000).max(3_600_000).default(600_000),
  /** Maximum time between two chunks of a response, in milliseconds. */
  idle_timeout_ms: z.int().min(1000).max(3_600_000).default(300_000),
});
export type CompatibleUpstream = z.output<typeof Upstream>;

const family = (prefix: string) =>
  z
    .strictObject({
      /** First segment of its paths. */
      prefix: z
        .string()
        .regex(
          /^\/[a-z0-9][a-z0-9-]{0,63}$/,
          'must be a slash and one segment of lower-case letters, digits and hyphens, such as `/llm`',
        )
        .refine((value) => !nativeSegments.some((segment) => value === `/${segment}`), {
          error: 'is a path of the platform itself. Choose another one',
        })
        .default(prefix),
      /** Null answers the requests that need an upstream with 501. */
      upstream: Upstream.nullable().default(null),
    })
    .prefault({});

/**
 * Prefixes for official clients of other APIs, which then only need another base address (service
 * reference, section 1.2).
 */
export const CompatiblePrefixes = z
  .strictObject({
    chat_model: family('/chat-model'),
    message_model: family('/message-model'),
    generative_model: family('/generative-model'),
    sandbox: family('/sandbox-compat'),
    web_search: family('/web-search'),
  })
  .prefault({})
  .superRefine((families, context) => {
    const names = Object.keys(families) as FamilyName[];
    for (const [index, name] of names.entries()) {
      const { prefix } = families[name];
      const other = names.slice(0, index).find((earlier) => families[earlier].prefix === prefix);
      if (other === undefined) continue;
      const message = `is already the prefix of \`${other}\`. Choose another one`;
      context.addIssue({ code: 'custom', path: [name, 'prefix'], message });
    }
  });
export type CompatiblePrefixes = z.output<typeof CompatiblePrefixes>;
export type FamilyName = keyof CompatiblePrefixes;
