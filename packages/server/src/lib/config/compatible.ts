import * as z from 'zod';

/** First segments of the platform's own paths. */
const nativeSegments = [
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
  'metrics',
  'v',
] as const;

/** A path that the configuration chooses: a slash and one segment, which no other service has. */
export const PathPrefix = z
  .string()
  .regex(
    /^\/[a-z0-9][a-z0-9-]{0,63}$/,
    'must be a slash and one segment of lower-case letters, digits and hyphens, such as `/llm`',
  )
  .refine((value) => !nativeSegments.some((segment) => value === `/${segment}`), {
    error: 'is a path of the platform itself. Choose another one',
  });

/** The API that a compatible prefix forwards to. */
const Upstream = z.strictObject({
  /** URL that replaces the prefix and its version: `https://api.example.com/v1`. */
  base_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  /** Name of the environment variable with the API key; omitted for an upstream without keys. */
  api_key_env: z.string().min(1).optional(),
  /**
   * Maximum milliseconds until the first byte of the response. A response that is not streamed starts
   * only when the upstream has generated all of it.
   */
  first_byte_timeout_ms: z.int().min(1000).max(3_600_000).default(600_000),
  /** Maximum time between two chunks of a response, in milliseconds. */
  idle_timeout_ms: z.int().min(1000).max(3_600_000).default(300_000),
});
export type CompatibleUpstream = z.output<typeof Upstream>;

const familySettings = (prefix: string) =>
  z
    .strictObject({
      /** First segment of the paths, with a slash. */
      prefix: PathPrefix.refine((value) => value !== '/console', {
        error: 'is a path of the platform itself. Choose another one',
      }).default(prefix),
      /** Null for none: requests that need an upstream then get a 501. */
      upstream: Upstream.nullable().default(null),
    })
    .prefault({});

/**
 * Prefixes for official clients of other APIs. These clients only need a different base URL
 * (docs/conformance.md, 1.2).
 */
export const CompatiblePrefixes = z
  .strictObject({
    chat_model: familySettings('/chat-model'),
    message_model: familySettings('/message-model'),
    generative_model: familySettings('/generative-model'),
    sandbox: familySettings('/sandbox-compat'),
    web_search: familySettings('/web-search'),
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
