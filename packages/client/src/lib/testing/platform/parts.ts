import type { EmbedConfig } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import type { Network } from '../network.ts';
import type { Ids } from './ids.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** What the scripted platform is made of. */
export interface PlatformParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly ids: Ids;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly network: Network;
  /** What may change while a test runs. */
  readonly settings: PlatformSettings;
}

/** Parts of `embed/config` that differ from a plain agent's; a function is told whose token it is. */
export type ConfigOption = Partial<EmbedConfig> | ((user: string) => Partial<EmbedConfig>);

/** What may change while a test runs. */
export interface PlatformSettings {
  config: ConfigOption;
  publishableKeys: readonly string[];
  allowedOrigins: readonly string[] | null;
}
