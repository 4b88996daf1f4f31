import * as z from 'zod/mini';

/** A suggestion that starts a conversation. */
export const StarterPrompt = z.looseObject({
  /** What the button says. */
  label: z.string(),
  /** What is sent; the label by default. */
  prompt: z.optional(z.string()),
});
export type StarterPrompt = z.infer<typeof StarterPrompt>;

/** `GET /agent/v1/embed/config`: what the widget needs to draw itself, and what the token is. */
export const EmbedConfig = z.looseObject({
  type: z.literal('embed_config'),
  agent: z.looseObject({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    /** One line under the name. */
    description: z.optional(z.nullable(z.string())),
  }),
  greeting: z.nullable(z.string()),
  starter_prompts: z.array(StarterPrompt),
  /** One line under the composer. */
  disclaimer: z.optional(z.nullable(z.string())),
  features: z.looseObject({
    attachments: z.boolean(),
    feedback: z.boolean(),
    threads: z.boolean(),
  }),
  /** Origins from which images in answers may be loaded. Empty means none. */
  image_origins: z.array(z.string()),
  theme: z.looseObject({
    /** A CSS colour from which the rest is derived. */
    accent: z.optional(z.string()),
    color_scheme: z.optional(z.enum(['light', 'dark', 'auto'])),
  }),
  /** Where a hosted page leads a person back to; null without one. */
  return_url: z.optional(z.nullable(z.string())),
  token: z.looseObject({
    expires_at: z.string(),
    external_user_id: z.string(),
    anonymous: z.optional(z.boolean()),
  }),
  /** The server's clock. A client compares `expires_at` with this, never with its own clock. */
  server_time: z.string(),
});
export type EmbedConfig = z.infer<typeof EmbedConfig>;
