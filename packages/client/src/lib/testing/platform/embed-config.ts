import type { EmbedConfig, Session } from '@inlay/protocol';
import type { PlatformParts } from './parts.ts';
import { configFor, type PlatformSettings, plainFeatures } from './settings.ts';
import { type Issuance, iso } from './tokens.ts';

/** Responds to `embed/config`. */
export function readEmbedConfig(
  { settings, clock }: PlatformParts,
  { user, anonymous, expiresAt }: Issuance,
): EmbedConfig {
  return {
    type: 'embed_config',
    agent: plainAgent,
    greeting: null,
    starter_prompts: [],
    disclaimer: null,
    features: plainFeatures,
    image_origins: [],
    theme: {},
    return_url: null,
    ...configFor(settings, user),
    token: { expires_at: iso(expiresAt), external_user_id: user, anonymous },
    server_time: iso(clock.now()),
  };
}

const plainAgent = { id: 'agt_1', name: 'Demo', version: '1' };

/** Returns the agent of a session as the API does. */
export function agentFor(settings: PlatformSettings, user: string): Session['agent'] {
  const { id, name, version } = configFor(settings, user).agent ?? plainAgent;
  return { type: 'agent', id, name, version };
}
