import type { EmbedConfig } from '@inlay/protocol';
import { ProblemError } from './problem-error.ts';
import { configFor, defaultFeatures, type PlatformSettings } from './settings.ts';

/**
 * Checks that a feature is enabled.
 *
 * @throws {ProblemError} `EMBED_FEATURE_DISABLED`.
 */
export function requireFeature(
  settings: PlatformSettings,
  user: string,
  feature: keyof typeof defaultFeatures,
): void {
  const { features } = configFor(settings, user);
  if (features?.[feature] ?? defaultFeatures[feature]) return;
  throw new ProblemError('EMBED_FEATURE_DISABLED', {
    detail: `This agent does not offer \`${feature}\`.`,
  });
}

/** Returns the limits of attachments. */
export function attachmentsOf(
  settings: PlatformSettings,
  user: string,
): NonNullable<EmbedConfig['attachments']> {
  const defaults = { max_bytes: 10_000_000, max_files: 10, media_types: [] };
  return configFor(settings, user).attachments ?? defaults;
}
