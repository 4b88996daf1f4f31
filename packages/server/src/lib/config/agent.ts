import { StarterPrompt } from '@inlay/protocol';
import * as z from 'zod';
import { EmbedPolicy, Origin, originsBeyondPolicy, PublishableKey } from './embed-policy.ts';
import { ModelConfig } from './model.ts';
import { builtInNames, ToolConfig } from './tools.ts';

/** How the agent appears in the widget. */
export const Appearance = z.strictObject({
  greeting: z.string().nullable().default(null),
  starter_prompts: z.array(StarterPrompt).default([]),
  /** One line under the composer. */
  disclaimer: z.string().nullable().default(null),
  theme: z
    .strictObject({
      accent: z.string().optional(),
      color_scheme: z.enum(['light', 'dark', 'auto']).optional(),
    })
    .default({}),
  /** Origins from which images in answers may be loaded. None by default. */
  image_origins: z.array(Origin).default([]),
  features: z
    .strictObject({
      attachments: z.boolean().default(true),
      feedback: z.boolean().default(true),
      threads: z.boolean().default(true),
      /** Editing a message that was sent, and having an answer made anew. */
      edit: z.boolean().default(true),
      /** Saving a conversation as Markdown or JSON. */
      export: z.boolean().default(true),
      /** Deleting one’s own conversations. */
      delete: z.boolean().default(true),
      /** Having everything deleted that is kept of oneself. */
      forget_me: z.boolean().default(false),
    })
    .prefault({}),
  /** What a person may attach. Without attachments at all: `features.attachments`. */
  attachments: z
    .strictObject({
      /** Bytes of one file; `limits.request.file_bytes` where left out, and never more than that. */
      max_bytes: z.int().min(1, 'must be at least 1').optional(),
      /** Files of one message. */
      max_files: z.int().min(1, 'must be at least 1').max(64, 'must be at most 64').default(10),
      /** Media types such as `application/pdf` or `image/*`. An empty list: any. */
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
  /** What a person must accept before they write. When the text changes, they are asked again. */
  consent: z
    .strictObject({
      /** Markdown. */
      text: z
        .string()
        .min(1, 'must not be empty')
        .max(10_000, 'must have at most 10000 characters'),
    })
    .nullable()
    .default(null),
  /** Lets the agent show cards, with the built-in tool `show_card`: forms, lists, tables, charts. */
  cards: z.boolean().default(false),
  /** Lets the agent offer follow-up prompts, with the built-in tool `suggest_replies`. */
  suggestions: z.boolean().default(false),
});
export type Appearance = z.output<typeof Appearance>;

/** A way in which the agent answers, chosen by the person for each message. */
export const AgentMode = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -'),
  label: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  description: z.string().max(300, 'must have at most 300 characters').nullable().default(null),
  /** In place of the agent’s model. */
  model: ModelConfig.optional(),
  /** Told to the model after the agent’s own instructions. */
  instructions: z.string().default(''),
});
export type AgentMode = z.output<typeof AgentMode>;

/** The first is the one of a message that names none. Empty: there is one way only. */
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
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 . _ -');

/** An earlier version that tokens can still be pinned to; what is left out is as in the latest. */
const PreviousVersion = z.strictObject({
  instructions: z.string().optional(),
  model: ModelConfig.optional(),
  tools: Tools.optional(),
  modes: AgentModes.optional(),
});

export const AgentConfig = z
  .strictObject({
    /** `agt_…`; made from the short id where left out, so that it is the same at every start. */
    id: z
      .string()
      .regex(/^agt_[A-Za-z0-9_-]{1,64}$/, 'must be `agt_` and letters, digits, _ or -')
      .optional(),
    short_id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and -'),
    name: z.string().min(1, 'must not be empty'),
    /** One line under the name. */
    description: z.string().nullable().default(null),
    /** What the agent is told about itself. */
    instructions: z.string().default(''),
    /** Name of the version that this is: the latest. */
    version: VersionName.default('1'),
    previous_versions: z.record(VersionName, PreviousVersion).default({}),
    model: ModelConfig,
    tools: Tools.default([]),
    modes: AgentModes.default([]),
    /** Null: tokens of this agent cannot be issued. */
    embed: EmbedPolicy.nullable().default(null),
    publishable_keys: z.array(PublishableKey).default([]),
    appearance: Appearance.prefault({}),
    hosted: z
      .strictObject({
        /** Where a hosted page leads a person back to. */
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
    for (const place of originsBeyondPolicy(agent.publishable_keys, agent.embed)) {
      const message = 'is not among the origins of the embed policy';
      context.addIssue({ code: 'custom', path: ['publishable_keys', ...place], message });
    }
  });
export type AgentConfig = z.output<typeof AgentConfig>;
