import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the demo on free ports. Returns the address of the host pages and a function that stops it. */
export async function startDemo() {
  const demo = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', 'demo/src/main.ts'],
    {
      cwd: root,
      env: { ...process.env, PORT: '0', DEMO_PORT: '0', DEMO_JSON: '1', INLAY_DATA: 'memory' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(demo.stdout, 'data');
  return {
    host: JSON.parse(line).host,
    async stop() {
      demo.kill();
      await once(demo, 'exit');
    },
  };
}
