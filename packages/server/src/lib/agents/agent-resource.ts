import { pageOf } from '@inlay/protocol';
import * as z from 'zod';
import { AgentMode, Appearance, EmbedPolicy, PublishableKey } from '../config/agent.ts';
import { ModelConfig } from '../config/model.ts';
import type { Agent } from './agent.ts';

const settings = z.record(z.string(), z.unknown());

/** An agent as a backend sees it. It holds no secret: a model names its key's variable, no more. */
export const AgentResource = z.object({
  type: z.literal('agent'),
  id: z.string(),
  short_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  instructions: z.string(),
  version: z.string(),
  versions: z.array(z.string()),
  model: ModelConfig,
  tools: z.array(z.string()),
  modes: z.array(AgentMode),
  embed: EmbedPolicy,
  publishable_keys: z.array(PublishableKey),
  appearance: Appearance,
  hosted: z.object({ return_url: z.string().nullable() }),
});
export type AgentResource = z.output<typeof AgentResource>;

export const AgentPage = pageOf(AgentResource);

/** What can be changed at run time. A section may hold only what changes; lists are replaced whole. */
export const UpdateAgentRequest = z.strictObject({
  name: z.string().min(1, 'must not be empty').optional(),
  description: z.string().nullable().optional(),
  instructions: z.string().optional(),
  model: settings
    .optional()
    .describe('With `provider`, it replaces the model; without, it changes it.'),
  modes: z.array(settings).optional(),
  embed: settings.optional().describe('Changes of the embed policy.'),
  publishable_keys: z.array(settings).optional(),
  appearance: settings.optional(),
  hosted: settings.optional(),
});

export function toAgentResource(agent: Agent): AgentResource {
  return {
    type: 'agent',
    id: agent.id,
    short_id: agent.short_id,
    name: agent.name,
    description: agent.description,
    instructions: agent.instructions,
    version: agent.version,
    versions: [...Object.keys(agent.previous_versions), agent.version],
    model: agent.model,
    tools: agent.tools.map((tool) => tool.name),
    modes: agent.modes,
    embed: agent.embed,
    publishable_keys: agent.publishable_keys,
    appearance: agent.appearance,
    hosted: agent.hosted,
  };
}
