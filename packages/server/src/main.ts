#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from './lib/clock.ts';
import { backupUsage, runBackupCommand } from './lib/commands/backup-command.ts';
import { copyUsage, runCopyCommand } from './lib/commands/copy-command.ts';
import { erasuresUsage, runErasuresCommand } from './lib/commands/erasures-command.ts';
import { keysUsage, runKeysCommand } from './lib/commands/keys-command.ts';
import { operatorsUsage, runOperatorsCommand } from './lib/commands/operators-command.ts';
import { loadConfig } from './lib/config/load-config.ts';
import { ConfigError } from './lib/config/parse-config.ts';
import { readSettings } from './lib/config/settings.ts';
import { consoleUrlFrom } from './lib/console/console-url.ts';
import { createLogger, describeError } from './lib/log/logger.ts';
import { ApiError } from './lib/problems/api-error.ts';
import { systemRandom } from './lib/random.ts';
import { type ShutdownMode, startServer } from './lib/start-server.ts';
import { openStore } from './lib/store/open-store.ts';
import { flushSpans } from './lib/telemetry/traces.ts';

// The log goes to standard error; standard output is for messages to the operator.
const log = createLogger(systemClock.now);

try {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) await serve();
  else process.stdout.write(`${await runCommand(command, args)}\n`);
} catch (error) {
  if (error instanceof ConfigError || error instanceof ApiError)
    process.stderr.write(`${error.message}\n`);
  else log.error('the server could not start', describeError(error));
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const server = await startServer({
    settings: readSettings(process.env),
    config: await loadConfig(process.env, process.cwd(), (notice) =>
      process.stdout.write(`${notice}\n`),
    ),
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
  if (server.consoleAddress) process.stdout.write(`Console: ${server.consoleAddress}\n`);
  process.stdout.write(`Inlay listens on ${server.displayAddress}\n`);

  let isStopping = false;
  const stop = (mode: ShutdownMode) => () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void server
      .stop(mode)
      .then(flushSpans)
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', stop('graceful'));
  process.on('SIGINT', stop('immediate'));
}

/** Runs a command, and returns its output. */
async function runCommand(command: string, args: readonly string[]): Promise<string> {
  const isMigration = command === 'migrate' && args.length === 0;
  if (!['keys', 'operators', 'erasures', 'backup', 'copy'].includes(command) && !isMigration) {
    throw new ConfigError(
      `Usage:\ninlay-server   starts the platform\ninlay-server migrate   prepares the database for this version\n${keysUsage}\n${operatorsUsage}\n${erasuresUsage}\n${backupUsage}\n${copyUsage}`,
    );
  }
  const settings = readSettings(process.env);
  if (settings.data === 'memory' && settings.databaseUrl === null) {
    throw new ConfigError('INLAY_DATA is `memory`: other processes cannot access such a store.');
  }
  const file = join(settings.data, 'inlay.db');
  if (settings.databaseUrl === null && args[0] !== 'create' && !existsSync(file)) {
    throw new ConfigError(
      `There is no store in ${resolve(settings.data)}. Run this command in the folder in which you start the platform, or set INLAY_DATA to the directory of its store.`,
    );
  }
  if (command === 'backup') return runBackupCommand(args, settings);
  if (command === 'copy') return runCopyCommand(args, settings, log);
  const config = await loadConfig(process.env, process.cwd());
  const store = await openStore({ settings, config, log });
  try {
    if (isMigration) return 'The database is ready for this version.';
    const deps = { store, clock: systemClock, random: systemRandom };
    if (command === 'keys') return await runKeysCommand(args, deps);
    if (command === 'erasures') return await runErasuresCommand(args, { ...deps, config, log });
    const consoleUrl = consoleUrlFrom(config, {
      baseUrl: settings.baseUrl ?? `http://localhost:${settings.port}`,
      port: config.console.port,
    });
    return await runOperatorsCommand(args, { ...deps, consoleUrl });
  } finally {
    await store.close();
  }
}
