import type { CatalogueModel } from '../config/models.ts';

/** Protocols that have no endpoint in the chat-model family. */
const otherFamilyProtocols: readonly string[] = ['messages', 'generate_content'];

/** Whether a model offers a protocol of the chat-model family. */
export function isChatModel({ supported_apis: apis }: CatalogueModel): boolean {
  return apis.some((api) => !otherFamilyProtocols.includes(api));
}

/** Converts a model to a model object of the official API. */
export function toModel({ id }: CatalogueModel): object {
  // The catalogue has no creation times. The publisher is the part of the id before the slash.
  const [publisher] = id.includes('/') ? id.split('/') : [];
  return { id, object: 'model', created: 0, owned_by: publisher ?? 'system' };
}
