import { StarterPrompt } from '@inlay/protocol';
import * as z from 'zod';
import { EmbedPolicy, Origin, originsBeyondPolicy, PublishableKey } from './embed-policy.ts';
import { ModelConfig } from './model.ts';
import { builtInNames, ToolConfig } from './tools.ts';

/** Appearance of the agent in the widget. */
export const Appearance = z.strictObject({
  greeting: z.string().nullable().default(null),
  starter_prompts: z.array(StarterPrompt).default([]),
  /** A line of text under the composer. */
  disclaimer: z.string().nullable().default(null),
  theme: z
    .strictObject({
      accent: z.string().optional(),
      color_scheme: z.enum(['light', 'dark', 'auto']).optional(),
    })
    .default({}),
  /** Origins of images in agent messages that may be loaded. None by default. */
  image_origins: z.array(Origin).default([]),
  features: z
    .strictObject({
      attachments: z.boolean().default(true),
      feedback: z.boolean().default(true),
      threads: z.boolean().default(true),
      /** Lets users edit a sent message and regenerate an agent message. */
      edit: z.boolean().default(true),
      /** Lets users save a conversation as Markdown or JSON. */
      export: z.boolean().default(true),
      /** Lets users delete their own conversations. */
      delete: z.boolean().default(true),
      /** Lets users delete all data that is stored about them. */
      forget_me: z.boolean().default(false),
    })
    .prefault({}),
  /** Limits for attachments. `features.attachments` disables them completely. */
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
  /** Lets the agent offer follow-up suggestions with the built-in tool `suggest_replies`. */
  suggestions: z.boolean().default(false),
});
export type Appearance = z.output<typeof Appearance>;

/** A mode of the agent, which the user chooses for each message. */
export const AgentMode = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -'),
  label: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  description: z.string().max(300, 'must have at most 300 characters').nullable().default(null),
  /** Replaces the agent’s model. */
  model: ModelConfig.optional(),
  /** Added to the agent’s instructions. */
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
  instructions: z.string().optional(),
  model: ModelConfig.optional(),
  tools: Tools.optional(),
  modes: AgentModes.optional(),
});

/** Configuration of an agent. */
export const AgentConfig = z
  .strictObject({
    /** `agt_…`. By default derived from the short id, so that a restart does not change the id. */
    id: z
      .string()
      .regex(/^agt_[A-Za-z0-9_-]{1,64}$/, 'must be `agt_` and letters, digits, _ or -')
      .optional(),
    short_id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and -'),
    name: z.string().min(1, 'must not be empty'),
    /** A line of text under the name. */
    description: z.string().nullable().default(null),
    /** System prompt. */
    instructions: z.string().default(''),
    /** Name of the latest version. */
    version: VersionName.default('1'),
    previous_versions: z.record(VersionName, PreviousVersion).default({}),
    model: ModelConfig,
    tools: Tools.default([]),
    modes: AgentModes.default([]),
    /** Null for an agent for which no tokens can be issued. */
    embed: EmbedPolicy.nullable().default(null),
    publishable_keys: z.array(PublishableKey).default([]),
    appearance: Appearance.prefault({}),
    hosted: z
      .strictObject({
        /** URL of the host's page that the hosted page links to. */
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
