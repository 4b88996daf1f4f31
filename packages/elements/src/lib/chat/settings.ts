import type { EmbedConfig } from '@inlay/protocol';
import type { AttachmentPolicy } from '../attachments/attachment-policy.ts';
import type { ConsentQuestion } from '../consent/consent-controller.ts';

/** Policy assumed if the server sends none. */
const defaultPolicy: AttachmentPolicy = { maxBytes: 10_000_000, maxFiles: 10, mediaTypes: [] };

/** The attachment policy of the agent's settings; null if attachments are disabled. */
export function attachmentPolicy(config: EmbedConfig | null): AttachmentPolicy | null {
  if (!config?.features.attachments) return null;
  const { attachments } = config;
  if (!attachments) return defaultPolicy;
  return {
    maxBytes: attachments.max_bytes,
    maxFiles: attachments.max_files,
    mediaTypes: attachments.media_types,
  };
}

/** The consent that the user has to give before writing; null for none. */
export function consentQuestion(config: EmbedConfig | null): ConsentQuestion | null {
  if (!config?.consent) return null;
  const { agent, token, consent } = config;
  return { agentId: agent.id, externalUserId: token.external_user_id, text: consent.text };
}
