import type { EmbedConfig } from '@inlay/protocol';
import { Refusal } from './refusal.ts';
import { configFor, type PlatformSettings, plainFeatures } from './settings.ts';

/** Throws `EMBED_FEATURE_DISABLED` for a disabled feature. */
export function requireFeature(
  settings: PlatformSettings,
  user: string,
  feature: keyof typeof plainFeatures,
): void {
  const { features } = configFor(settings, user);
  if (features?.[feature] ?? plainFeatures[feature]) return;
  throw new Refusal('EMBED_FEATURE_DISABLED', {
    detail: `This agent does not offer \`${feature}\`.`,
  });
}

/** Returns the limits of attachments. */
export function attachmentsOf(
  settings: PlatformSettings,
  user: string,
): NonNullable<EmbedConfig['attachments']> {
  const plain = { max_bytes: 10_000_000, max_files: 10, media_types: [] };
  return configFor(settings, user).attachments ?? plain;
}
