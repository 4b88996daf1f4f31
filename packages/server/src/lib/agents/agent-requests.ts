import * as z from 'zod';
import { AgentConfig } from '../config/agent.ts';
import { PublishableKeySettings } from '../config/embed-policy.ts';

const settings = z.record(z.string(), z.unknown());

/** What can be changed at run time. A section may hold only what changes; lists are replaced whole. */
const changes = {
  name: AgentConfig.shape.name,
  description: z.string().nullable(),
  instructions: z.string(),
  model: settings.describe('With `provider`, it replaces the model; without, it changes it.'),
  tools: z
    .array(settings)
    .describe('`custom` tools whole; `function` tools of the configuration file by `name`.'),
  modes: z.array(settings),
  embed: settings.nullable().describe('Changes of the embed policy; null takes it away.'),
  publishable_keys: z.array(settings).describe('Keys that stand in the settings.'),
  appearance: settings,
  hosted: settings,
};

/** Each section is checked by the rules of the configuration, once it is laid over what there is. */
export const UpdateAgentRequest = z
  .strictObject(changes)
  .partial()
  .extend({
    keep_version: z
      .boolean()
      .default(false)
      .describe(
        'Changes the latest version itself in place of making a new one. For repairs that conversations under way have to get, such as another address of the model.',
      ),
  });

export const CreateAgentRequest = z
  .strictObject({ ...changes, short_id: AgentConfig.shape.short_id })
  .partial()
  .required({ short_id: true, name: true, model: true });

export const CreateKeyRequest = PublishableKeySettings;

/** What is left out stays. */
export const UpdateKeyRequest = settings;

/** Seconds for which a key that is replaced goes on: a day, and at most 30. */
export const RotateKeyRequest = z.strictObject({
  overlap_seconds: z
    .int('must be a whole number of seconds')
    .min(0, 'must not be negative')
    .max(2_592_000, 'must be at most 2592000 (30 days)')
    .default(86_400),
});
