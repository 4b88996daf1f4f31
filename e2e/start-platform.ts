import {
  type Clock,
  type ConfigInput,
  createLogger,
  parseConfig,
  type Random,
  type RunningServer,
  readSettings,
  startServer,
  systemClock,
  systemRandom,
} from '@inlay/server';

interface PlatformOptions {
  readonly apiKey: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Folder of the store. @default 'memory' */
  readonly data?: string;
  /** @default 0, a free port */
  readonly port?: number;
}

/** Starts the real server in this process, without logs. */
export function startPlatform(
  config: ConfigInput,
  {
    apiKey,
    clock = systemClock,
    random = systemRandom,
    data = 'memory',
    port = 0,
  }: PlatformOptions,
): Promise<RunningServer> {
  return startServer({
    settings: readSettings({ PORT: String(port), INLAY_DATA: data, INLAY_API_KEY: apiKey }),
    config: parseConfig(config, 'The configuration of the test'),
    clock,
    random,
    log: createLogger(clock.now, () => {}),
    secret: () => undefined,
    webDirectory: '/nonexistent',
    version: '0.0.0-test',
  });
}
