import type { Clock } from '../../ports.ts';
import type { Network } from '../network.ts';
import type { Files } from './files.ts';
import type { Ids } from './ids.ts';
import type { Sessions } from './sessions.ts';
import type { PlatformSettings } from './settings.ts';
import type { Tokens } from './tokens.ts';

/** What the scripted platform is made of. */
export interface PlatformParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly ids: Ids;
  readonly tokens: Tokens;
  readonly files: Files;
  readonly sessions: Sessions;
  readonly network: Network;
  /** What may change while a test runs. */
  readonly settings: PlatformSettings;
}
