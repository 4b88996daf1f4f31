import * as z from 'zod/mini';
import { Allowance } from './allowances.ts';

/** A suggestion that starts a conversation. */
export const StarterPrompt = z.looseObject({
  /** What the button says. */
  label: z.string(),
  /** What is sent; the label by default. */
  prompt: z.optional(z.string()),
});
export type StarterPrompt = z.infer<typeof StarterPrompt>;

/** A way in which the agent can answer, for example `fast` or `thorough`. */
export const Mode = z.looseObject({
  id: z.string(),
  label: z.string(),
  description: z.optional(z.nullable(z.string())),
});
export type Mode = z.infer<typeof Mode>;

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
    /** Whether a message can be edited and sent again, and an answer made anew. */
    edit: z.optional(z.boolean()),
    /** The rights of the person over what they said. */
    export: z.optional(z.boolean()),
    delete: z.optional(z.boolean()),
    forget_me: z.optional(z.boolean()),
  }),
  /** What may be attached to a message; left out by older servers. */
  attachments: z.optional(
    z.looseObject({
      /** Bytes of one file. */
      max_bytes: z.int(),
      /** Files of one message. */
      max_files: z.int(),
      /** Media types, also as `image/*`. An empty list: any. */
      media_types: z.array(z.string()),
    }),
  ),
  /** What the person must accept before they write; null or left out for nothing. */
  consent: z.optional(
    z.nullable(
      z.looseObject({
        /** Markdown. When it changes, the person is asked again. */
        text: z.string(),
      }),
    ),
  ),
  /** Ways in which the agent can answer, the first one by default. Empty: there is one only. */
  modes: z.optional(z.array(Mode)),
  /** What the person has used up of what is not that of one conversation. */
  allowances: z.optional(z.array(Allowance)),
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
