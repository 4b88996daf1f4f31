import { StarterPrompt } from '@inlay/protocol';
import * as z from 'zod';
import { EmbedPolicy, Origin, originsBeyondPolicy, PublishableKey } from './embed-policy.ts';
import { ModelConfig } from './model.ts';
import { builtInNames, ToolConfig } from './tools.ts';
import { Welcome } from './welcome.ts';

/** Appearance of the agent in the widget. */
export const Appearance = z.strictObject({
  /** Text of an empty conversation. */
  greeting: z.string().nullable().default(null),
  /** Starter suggestions: `label`, and `prompt` if another text is sent. */
  starter_prompts: z.array(StarterPrompt).default([]),
  /** A card that users can answer instead of writing a first message. */
  welcome: Welcome.nullable().default(null),
  /**
   * Text above the first message, which says that an AI answers. By default the widget's, in the
   * language of the user. Empty for none, if it is obvious or the page says it.
   */
  disclosure: z.string().nullable().default(null),
  /** A line of text below the composer. */
  disclaimer: z.string().nullable().default(null),
  theme: z
    .strictObject({
      /** A CSS colour. By default the widget's. */
      accent: z.string().optional(),
      /** By default the widget's. */
      color_scheme: z.enum(['light', 'dark', 'auto']).optional(),
    })
    .default({}),
  /**
   * Origins from which images in answers and cards are loaded; other images need a click. A
   * pattern such as `http://localhost:*` means the platform's own address.
   */
  image_origins: z.array(Origin).default([]),
  /** Features of the chat. Requests for a disabled one are refused with `EMBED_FEATURE_DISABLED`. */
  features: z
    .strictObject({
      /** Lets users attach files. */
      attachments: z.boolean().default(true),
      /** Lets users rate answers. */
      feedback: z.boolean().default(true),
      /** Shows the list of conversations. Only the widget hides it. */
      threads: z.boolean().default(true),
      /** Lets users edit a sent message and regenerate an agent message. */
      edit: z.boolean().default(true),
      /** Lets users save a conversation as Markdown or JSON. */
      export: z.boolean().default(true),
      /** Lets users delete their conversations, with the files that are not used elsewhere. */
      delete: z.boolean().default(true),
      /**
       * Lets users delete all their data: conversations, files and, for visitors, their identity. It
       * is invisible at once, and removed in the background within seconds; after a crash, the next
       * cleanup removes the rest.
       */
      forget_me: z.boolean().default(false),
    })
    .prefault({}),
  /**
   * Limits for attachments. The type is detected from the content of a file. The model gets PNG,
   * JPEG, GIF and WebP images, and the first 200,000 bytes of text files and of the text of PDF
   * files; of all other files, only name and type.
   */
  attachments: z
    .strictObject({
      /** Maximum bytes of a file: by default, and at most, `limits.request.file_bytes`. */
      max_bytes: z.int().min(1, 'must be at least 1').optional(),
      /** Maximum files per message. */
      max_files: z.int().min(1, 'must be at least 1').max(64, 'must be at most 64').default(10),
      /** Media types such as `application/pdf` or `image/*`. Empty for any type. */
      media_types: z
        .array(
          z
            .string()
            .regex(
              /^[a-z]+\/(\*|[a-z0-9][a-z0-9.+-]*)$/,
              'must be a media type in lower case, such as application/pdf or image/*',
            ),
        )
        .default([]),
    })
    .prefault({}),
  /**
   * A text that users must accept before they can write. If the text is changed, they must accept it
   * again.
   */
  consent: z
    .strictObject({
      /** The text, in Markdown. */
      text: z
        .string()
        .min(1, 'must not be empty')
        .max(10_000, 'must have at most 10000 characters'),
    })
    .nullable()
    .default(null),
  /**
   * Lets the agent show cards (forms, lists, tables, charts) with the built-in tool `show_card`.
   */
  cards: z.boolean().default(false),
  /**
   * Lets the agent offer up to four follow-up suggestions with the built-in tool `suggest_replies`.
   * Together with an answer, this needs no additional model call.
   */
  suggestions: z.boolean().default(false),
});
export type Appearance = z.output<typeof Appearance>;

/** A mode of the agent, which the user chooses for each message. */
export const AgentMode = z.strictObject({
  /** Unique among the modes: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -'),
  /** Name that users see. */
  label: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  /** A line below the label. */
  description: z.string().max(300, 'must have at most 300 characters').nullable().default(null),
  /** Replaces the agent’s model; its price applies. */
  model: ModelConfig.optional(),
  /** Appended to the agent’s instructions. */
  instructions: z.string().default(''),
});
export type AgentMode = z.output<typeof AgentMode>;

/** Modes of the agent; the first one is the default. Empty if there is no choice. */
const AgentModes = z
  .array(AgentMode)
  .max(20, 'must hold at most 20 modes')
  .superRefine((modes, context) => {
    modes.forEach(({ id }, index) => {
      if (modes.findIndex((mode) => mode.id === id) === index) return;
      const message = `\`${id}\` is the id of another mode already`;
      context.addIssue({ code: 'custom', path: [index, 'id'], message });
    });
  });

const Tools = z.array(ToolConfig).superRefine((tools, context) => {
  tools.forEach(({ name }, index) => {
    if (!builtInNames.includes(name)) return;
    const message = `\`${name}\` is the name of a built-in tool; choose another one`;
    context.addIssue({ code: 'custom', path: [index, 'name'], message });
  });
});

const VersionName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 . _ -')
  // JavaScript reserves this name, so that objects by version would lose the version.
  .refine((name) => name !== '__proto__', 'must not be `__proto__`');

/** An earlier version that tokens can be pinned to. The latest version provides omitted fields. */
const PreviousVersion = z.strictObject({
  /** System prompt of this version. */
  instructions: z.string().optional(),
  model: ModelConfig.optional(),
  /** Tools of this version. */
  tools: Tools.optional(),
  modes: AgentModes.optional(),
});

/** Configuration of an agent. */
export const AgentConfig = z
  .strictObject({
    /**
     * `agt_…`. By default derived from the short id, so that a restart does not change the id. Set
     * it to the old id before you change the `short_id`; otherwise you get another agent.
     */
    id: z
      .string()
      .regex(/^agt_[A-Za-z0-9_-]{1,64}$/, 'must be `agt_` and letters, digits, _ or -')
      .optional(),
    /** Unique name for your backend, such as `helper`: lower-case letters, digits and `-`. */
    short_id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and -'),
    /** Name that users see. */
    name: z.string().min(1, 'must not be empty'),
    /** A line of text below the name. */
    description: z.string().nullable().default(null),
    /** System prompt. */
    instructions: z.string().default(''),
    /** Name of the latest version. */
    version: VersionName.default('1'),
    /** Earlier versions by name, with only the settings that differ from the latest one. */
    previous_versions: z.record(VersionName, PreviousVersion).default({}),
    model: ModelConfig,
    /** Tools that run on the platform (`function`) or in the page (`custom`). */
    tools: Tools.default([]),
    modes: AgentModes.default([]),
    /** The embed policy. Null for an agent for which no tokens can be issued. */
    embed: EmbedPolicy.nullable().default(null),
    /** Keys for visitors, who are not signed in. */
    publishable_keys: z.array(PublishableKey).default([]),
    appearance: Appearance.prefault({}),
    /** How long data of this agent is stored. */
    retention: z
      .strictObject({
        /**
         * Days from the last message of a session of this agent to its deletion: at most the platform's
         * `retention.sessions_days`, which applies if this is null.
         */
        sessions_days: z.int().min(1).max(36_500).nullable().default(null),
      })
      .prefault({}),
    hosted: z
      .strictObject({
        /** URL of your page that hosted links lead back to. */
        return_url: z
          .url({ protocol: /^https?$/ })
          .nullable()
          .default(null),
      })
      .prefault({}),
  })
  .superRefine((agent, context) => {
    const pinned = agent.embed?.pinned_version ?? null;
    if (
      pinned !== null &&
      pinned !== agent.version &&
      !Object.hasOwn(agent.previous_versions, pinned)
    ) {
      context.addIssue({
        code: 'custom',
        path: ['embed', 'pinned_version'],
        message: 'must be a version of this agent: the latest or an earlier one',
      });
    }
    for (const path of originsBeyondPolicy(agent.publishable_keys, agent.embed)) {
      const message = 'is not among the origins of the embed policy';
      context.addIssue({ code: 'custom', path: ['publishable_keys', ...path], message });
    }
  });
export type AgentConfig = z.output<typeof AgentConfig>;
