import type { EmbedConfig } from '@inlay/protocol';
import type { AttachmentPolicy } from '../attachments/attachment-policy.ts';
import type { ConsentQuestion } from '../consent/consent-controller.ts';

/** Megabytes and counts that a server means which does not say what it takes. */
const usualPolicy: AttachmentPolicy = { maxBytes: 10_000_000, maxFiles: 10, mediaTypes: [] };

/** What may be attached, as the agent's settings say; null for nothing. */
export function attachmentPolicy(config: EmbedConfig | null): AttachmentPolicy | null {
  if (!config?.features.attachments) return null;
  const { attachments } = config;
  if (!attachments) return usualPolicy;
  return {
    maxBytes: attachments.max_bytes,
    maxFiles: attachments.max_files,
    mediaTypes: attachments.media_types,
  };
}

/** What the person must accept before they write; null for nothing. */
export function consentQuestion(config: EmbedConfig | null): ConsentQuestion | null {
  if (!config?.consent) return null;
  const { agent, token, consent } = config;
  return { agentId: agent.id, externalUserId: token.external_user_id, text: consent.text };
}
