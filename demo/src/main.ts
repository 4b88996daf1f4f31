import { type Demo, startDemo } from './demo.ts';
import { OptionError, readOptions } from './options.ts';

let starting: Promise<Demo> | null = null;
let isStopping = false;

/** Stops the demo and exits. Further calls have no effect. */
async function stopDemo(code: number, reason?: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  if (reason) console.error(reason);
  // A failed start has already closed its servers and printed the reason.
  const demo = await starting?.catch(() => null);
  await demo?.close();
  process.exit(code);
}

function explain(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? error.port : '';
    return `Port ${port} is in use. Stop the other program, or set PORT (platform) and DEMO_PORT (pages) to other ports; 0 selects a free port.`;
  }
  if (error instanceof OptionError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// Ctrl-C also sends the signal to the platform's process; `stopDemo` waits for the exit of that process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stopDemo(0));
}

try {
  const options = readOptions(process.env);
  starting = startDemo(options, (reason) => {
    void stopDemo(1, `The platform ended ${reason}. Stopping the demo.`);
  });
  const { platform, host, adminSecret } = await starting;
  console.log(
    options.json
      ? JSON.stringify({ platform, host, adminSecret })
      : `
  Inlay demo

    Pages      ${host}
    Platform   ${platform}
    Console    ${platform}/console/, as admin with the password ${adminSecret}
    Data       ${options.data}

  Ctrl-C stops everything.
`,
  );
} catch (error) {
  await stopDemo(1, explain(error));
}
