import type { EmbedConfig } from '@inlay/protocol';

/** Parts of `embed/config` that differ from a plain agent's; a function is told whose token it is. */
export type ConfigOption = Partial<EmbedConfig> | ((user: string) => Partial<EmbedConfig>);

/** What may change while a test runs. */
export interface PlatformSettings {
  config: ConfigOption;
  publishableKeys: readonly string[];
  allowedOrigins: readonly string[] | null;
}

/** What an agent offers where its configuration does not say. */
export const plainFeatures = {
  attachments: false,
  feedback: true,
  threads: true,
  edit: true,
  export: true,
  delete: true,
  forget_me: false,
};

/** The parts of `embed/config` that were set for a person. */
export function configFor({ config }: PlatformSettings, user: string): Partial<EmbedConfig> {
  return typeof config === 'function' ? config(user) : config;
}
