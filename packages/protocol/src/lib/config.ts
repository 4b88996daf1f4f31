import * as z from 'zod/mini';
import { Allowance } from './allowances.ts';
import { Card } from './cards.ts';

/** A suggested message, at the start of a conversation or as a follow-up. */
export const StarterPrompt = z.looseObject({
  /** Text of the button. */
  label: z.string(),
  /**
   * Text of the message that the button sends.
   *
   * @default the label
   */
  prompt: z.optional(z.string()),
});
export type StarterPrompt = z.infer<typeof StarterPrompt>;

/** An answering mode of the agent that the user can choose, for example `fast` or `thorough`. */
export const Mode = z.looseObject({
  id: z.string(),
  label: z.string(),
  description: z.optional(z.nullable(z.string())),
});
export type Mode = z.infer<typeof Mode>;

/** Response of `GET /agent/v1/embed/config`: settings of the widget, and details of the token. */
export const EmbedConfig = z.looseObject({
  type: z.literal('embed_config'),
  agent: z.looseObject({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    /** One line of text below the name. */
    description: z.optional(z.nullable(z.string())),
  }),
  greeting: z.nullable(z.string()),
  starter_prompts: z.array(StarterPrompt),
  /** Content of an empty conversation besides the greeting; null or absent if there is none. */
  welcome: z.optional(
    z.nullable(
      z.looseObject({
        /**
         * A card whose answer starts the conversation: a `user.card_action` with the `card_id`
         * `welcome`, as the first event.
         */
        card: Card,
      }),
    ),
  ),
  /**
   * Text above the first message, which says that an AI answers. Null or absent: a text in the language
   * of the chat; empty: none.
   */
  disclosure: z.optional(z.nullable(z.string())),
  /** One line of text below the composer. */
  disclaimer: z.optional(z.nullable(z.string())),
  features: z.looseObject({
    attachments: z.boolean(),
    feedback: z.boolean(),
    threads: z.boolean(),
    /** Whether users can edit and resend a message, and regenerate an answer. */
    edit: z.optional(z.boolean()),
    /** Whether users can export their conversations. */
    export: z.optional(z.boolean()),
    /** Whether users can delete their conversations. */
    delete: z.optional(z.boolean()),
    /** Whether users can delete all their data. */
    forget_me: z.optional(z.boolean()),
    /** Whether this user may take over the conversations of a visitor: see `POST /embed/claim`. */
    visitor_claim: z.optional(z.boolean()),
  }),
  /** Limits of message attachments. Older servers omit this field. */
  attachments: z.optional(
    z.looseObject({
      /** Maximum size of one file in bytes. */
      max_bytes: z.int(),
      /** Maximum number of files per message. */
      max_files: z.int(),
      /** Accepted media types; wildcards such as `image/*` are allowed. Empty list: any type. */
      media_types: z.array(z.string()),
    }),
  ),
  /** Consent that the user must give before the first message; null or absent if none is needed. */
  consent: z.optional(
    z.nullable(
      z.looseObject({
        /** Markdown. The user is asked again whenever the text changes. */
        text: z.string(),
        /**
         * SHA-256 of the text, in hexadecimal digits, for `POST /agent/v1/embed/consents`. Older servers,
         * which record no consents, omit this field.
         */
        text_sha256: z.optional(z.string()),
      }),
    ),
  ),
  /** Retention of conversations. Older servers omit this field. */
  retention: z.optional(
    z.looseObject({
      /** Days from the last message of a conversation to its deletion; null if it is kept. */
      sessions_days: z.nullable(z.int()),
    }),
  ),
  /** Answering modes; the first is the default. With an empty list, the widget shows no mode menu. */
  modes: z.optional(z.array(Mode)),
  /** Used share of each budget and quota that applies to more than one session. */
  allowances: z.optional(z.array(Allowance)),
  /** Origins from which images in agent messages may be loaded. An empty list allows none. */
  image_origins: z.array(z.string()),
  theme: z.looseObject({
    /** CSS colour from which the palette is derived. */
    accent: z.optional(z.string()),
    color_scheme: z.optional(z.enum(['light', 'dark', 'auto'])),
  }),
  /** Target of the hosted page's "back" link; null for no such link. */
  return_url: z.optional(z.nullable(z.string())),
  token: z.looseObject({
    expires_at: z.string(),
    external_user_id: z.string(),
    anonymous: z.optional(z.boolean()),
    /** The only conversation that the token opens; null or absent if it opens all of the user. */
    session_id: z.optional(z.nullable(z.string())),
  }),
  /**
   * Server time, ISO 8601. Clients compare `expires_at` with it, because their clock may be wrong.
   */
  server_time: z.string(),
});
export type EmbedConfig = z.infer<typeof EmbedConfig>;
