import {
  createLogger,
  parseConfig,
  readSettings,
  startServer,
  systemClock,
  systemRandom,
} from '@inlay/server';
import type { ApiDescription } from './breaking-changes.ts';

/** Returns the API description of this checkout. It does not depend on the configuration. */
export async function describeApi(): Promise<ApiDescription> {
  const server = await startServer({
    settings: readSettings({ PORT: '0', INLAY_DATA: 'memory' }),
    config: parseConfig(
      { agents: [{ short_id: 'a', name: 'A', model: { provider: 'scripted' } }] },
      'The configuration of the check',
    ),
    clock: systemClock,
    random: systemRandom,
    log: createLogger(systemClock.now, () => {}),
    secret: () => undefined,
    webDirectory: '/nonexistent',
    version: '0.0.0',
  });
  try {
    const response = await server.app.request('/meta/v1/openapi.json');
    return (await response.json()) as ApiDescription;
  } finally {
    await server.stop('immediate');
  }
}
