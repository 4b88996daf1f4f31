import * as z from 'zod';
import { AgentConfig } from '../config/agent.ts';
import { PublishableKeySettings } from '../config/embed-policy.ts';

const settings = z.record(z.string(), z.unknown());

/**
 * The settings that can be changed at run time. Objects can omit members that do not change; a list
 * replaces the whole current list.
 */
const changeableSettings = {
  name: AgentConfig.shape.name,
  description: z.string().nullable(),
  instructions: z.string(),
  model: settings.describe(
    'With `provider`, it replaces the model; without it, only the given members change.',
  ),
  tools: z
    .array(settings)
    .describe(
      '`custom` tools with all members; `function` tools of the configuration file by `name`.',
    ),
  modes: z.array(settings),
  embed: settings.nullable().describe('Changes of the embed policy; null removes it.'),
  publishable_keys: z.array(settings).describe('Keys that are part of the settings.'),
  appearance: settings,
  retention: settings,
  hosted: settings,
};

/**
 * Schema of a change. After a change is merged with the current settings, the result is validated
 * with the schema of the configuration.
 */
export const UpdateAgentRequest = z
  .strictObject(changeableSettings)
  .partial()
  .extend({
    keep_version: z
      .boolean()
      .default(false)
      .describe(
        'Changes the latest version instead of creating a new one. For fixes that existing conversations need as well, such as another address of the model.',
      ),
  })
  .meta({ id: 'UpdateAgentRequest' });

/** The part of `UpdateAgentRequest` that changes the embed policy. */
export const CheckEmbedRequest = z
  .strictObject({ embed: changeableSettings.embed })
  .meta({ id: 'CheckEmbedPolicyRequest' });

export const CreateAgentRequest = z
  .strictObject({ ...changeableSettings, short_id: AgentConfig.shape.short_id })
  .partial()
  .required({ short_id: true, name: true, model: true })
  .meta({ id: 'CreateAgentRequest' });

export const CreateKeyRequest = PublishableKeySettings.meta({ id: 'CreatePublishableKeyRequest' });

/** Members that are left out keep their value. */
export const UpdateKeyRequest = settings.meta({ id: 'UpdatePublishableKeyRequest' });

/** `overlap_seconds`: how long the replaced key keeps working. */
export const RotateKeyRequest = z
  .strictObject({
    overlap_seconds: z
      .int('must be a whole number of seconds')
      .min(0, 'must not be negative')
      .max(2_592_000, 'must be at most 2592000 (30 days)')
      .default(86_400),
  })
  .meta({ id: 'RotatePublishableKeyRequest' });
