import type { EmbedConfig } from '@inlay/protocol';

/** Fields of `embed/config` that replace the default fields; a function receives the user. */
export type ConfigOption = Partial<EmbedConfig> | ((user: string) => Partial<EmbedConfig>);

/** Settings that a test may change. */
export interface PlatformSettings {
  config: ConfigOption;
  publishableKeys: readonly string[];
  allowedOrigins: readonly string[] | null;
}

export const defaultFeatures = {
  attachments: false,
  feedback: true,
  threads: true,
  edit: true,
  export: true,
  delete: true,
  forget_me: false,
  visitor_claim: false,
};

/** Returns the configured fields of `embed/config` for a user. */
export function configFor({ config }: PlatformSettings, user: string): Partial<EmbedConfig> {
  return typeof config === 'function' ? config(user) : config;
}
