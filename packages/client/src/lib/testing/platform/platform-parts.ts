import type { Clock } from '../../ports.ts';
import type { Network } from '../network.ts';
import type { Files } from './files.ts';
import type { Ids } from './ids.ts';
import type { Sessions } from './sessions.ts';
import type { PlatformSettings } from './settings.ts';
import type { Tokens } from './tokens.ts';

/** Components of the scripted platform. */
export interface PlatformParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly ids: Ids;
  readonly tokens: Tokens;
  readonly files: Files;
  readonly sessions: Sessions;
  readonly network: Network;
  /** Settings that a test may change. */
  readonly settings: PlatformSettings;
}
