import type { InlayClient } from '@inlay/client';
import type { EmbedConfig } from '@inlay/protocol';
import { digestOf, unsent } from './consent-store.ts';

/**
 * Sends the consents of the user that the platform has not recorded. Those that fail are sent again after
 * the next page load.
 *
 * @param language - Language in which the user has just agreed to the agent's text; null if they have not.
 */
export function sendConsents(
  client: InlayClient,
  config: EmbedConfig,
  language: string | null,
): void {
  const owner = ownerOf(config);
  const hash = config.consent?.text_sha256;
  if (language !== null && hash) unsent.add(`${owner} ${hash} ${language}`);
  // The user may have changed while this module was loading.
  if (client.auth.externalUserId !== config.token.external_user_id) return;
  for (const item of unsent.items()) {
    const [itemOwner, text_sha256 = '', itemLanguage = ''] = item.split(' ');
    if (itemOwner !== owner) continue;
    client.giveConsent({ text_sha256, language: itemLanguage }).then(
      () => unsent.remove(item),
      () => {},
    );
  }
}

/** Forgets the unsent consents of a user whose data was erased. */
export function forgetUnsentConsents(config: EmbedConfig): void {
  const owner = ownerOf(config);
  for (const item of unsent.items()) if (item.startsWith(`${owner} `)) unsent.remove(item);
}

/** Digest of the agent and the user, which reveals nothing about the user. */
function ownerOf({ agent, token }: EmbedConfig): string {
  return digestOf(agent.id, token.external_user_id);
}
