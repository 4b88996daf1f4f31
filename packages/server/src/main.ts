#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './lib/config/load-config.ts';
import { ConfigError } from './lib/config/parse-config.ts';
import { readSettings } from './lib/config/settings.ts';
import { createLineBuffer } from './lib/log/line-buffer.ts';
import { createLogger, describeError } from './lib/log/logger.ts';
import { systemClock } from './lib/ports/clock.ts';
import { systemRandom } from './lib/ports/random.ts';
import { startServer } from './lib/start-server.ts';

// The log goes to standard error, so that standard output holds what a person is to read.
const lines = createLineBuffer((text) => void process.stderr.write(text));
process.on('exit', lines.flush);
const log = createLogger(systemClock.now, lines.add);

try {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const server = await startServer({
    settings: readSettings(process.env),
    config: await loadConfig(process.env, process.cwd()),
    clock: systemClock,
    random: systemRandom,
    log,
    secret: (name) => process.env[name] || undefined,
    webDirectory: fileURLToPath(new URL('../web', import.meta.url)),
    version: manifest.version,
  });
  if (server.newApiKey) {
    process.stdout.write(
      `API key, shown this once (keep it in INLAY_API_KEY): ${server.newApiKey}\n`,
    );
  }
  process.stdout.write(`Inlay listens on ${server.baseUrl}\n`);

  let isStopping = false;
  const stop = (how: 'gently' | 'now') => () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void server.stop(how).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop('gently'));
  process.on('SIGINT', stop('now'));
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else log.error('the server could not start', describeError(error));
  process.exitCode = 1;
}
