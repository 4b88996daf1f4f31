import type { EmbedConfig, Session } from '@inlay/protocol';
import type { PlatformParts } from './platform-parts.ts';
import { configFor, defaultFeatures, type PlatformSettings } from './settings.ts';
import { type Issuance, toIsoString } from './tokens.ts';

/** Returns the response of `embed/config`. */
export function readEmbedConfig(
  { settings, clock }: PlatformParts,
  { user, anonymous, expiresAt }: Issuance,
): EmbedConfig {
  const { features = defaultFeatures, ...fields } = configFor(settings, user);
  return {
    type: 'embed_config',
    agent: defaultAgent,
    greeting: null,
    starter_prompts: [],
    disclaimer: null,
    image_origins: [],
    theme: {},
    return_url: null,
    ...fields,
    features: { ...features, visitor_claim: features.visitor_claim === true && !anonymous },
    token: {
      ...fields.token,
      expires_at: toIsoString(expiresAt),
      external_user_id: user,
      anonymous,
    },
    server_time: toIsoString(clock.now()),
  };
}

const defaultAgent = { id: 'agt_1', name: 'Demo', version: '1' };

/** Returns the `agent` field of a session. */
export function agentFor(settings: PlatformSettings, user: string): Session['agent'] {
  const { id, name, version } = configFor(settings, user).agent ?? defaultAgent;
  return { type: 'agent', id, name, version };
}
