import { help, readCommandLine } from './command-line.ts';
import { startControl } from './control.ts';
import { startFaultProxy } from './fault-proxy.ts';

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(help);
    return;
  }
  const { target, port, host, halfOpenTimeoutMs, faults } = options;
  const proxy = await startFaultProxy({ target, port, host, halfOpenTimeoutMs: halfOpenTimeoutMs });
  for (const { fault, match } of faults) proxy.faults.add(fault, match);
  const control = await startControl(proxy, options.control);
  process.stdout.write(
    `${proxy.url} forwards to ${target}. Control endpoint: http://localhost:${control.port} (see --help)\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Promise.all([proxy.close(), control.close()]));
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
