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
}

/** Starts the real server in this process, on a free port, with a store in memory and without logs. */
export function startPlatform(
  config: ConfigInput,
  { apiKey, clock = systemClock, random = systemRandom }: PlatformOptions,
): Promise<RunningServer> {
  return startServer({
    settings: readSettings({ PORT: '0', INLAY_DATA: 'memory', INLAY_API_KEY: apiKey }),
    config: parseConfig(config, 'The configuration of the test'),
    clock,
    random,
    log: createLogger(clock.now, () => {}),
    secret: () => undefined,
    webDirectory: '/nonexistent',
    version: '0.0.0-test',
  });
}
