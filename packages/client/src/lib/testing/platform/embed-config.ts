import type { EmbedConfig } from '@inlay/protocol';
import type { PlatformParts } from './parts.ts';
import { type Issuance, iso } from './tokens.ts';

/** What the widget asks first: how to draw itself, and what its token is. */
export function readEmbedConfig(
  { settings, clock }: PlatformParts,
  { user, anonymous, expiresAt }: Issuance,
): EmbedConfig {
  return {
    type: 'embed_config',
    agent: { id: 'agt_1', name: 'Demo', version: '1', description: null },
    greeting: null,
    starter_prompts: [],
    disclaimer: null,
    features: { attachments: false, feedback: true, threads: true },
    image_origins: [],
    theme: {},
    return_url: null,
    ...settings.config,
    token: { expires_at: iso(expiresAt), external_user_id: user, anonymous },
    server_time: iso(clock.now()),
  };
}
