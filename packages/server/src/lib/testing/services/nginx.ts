import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../../../scripts/free-port.mjs';
import { findProgram, startProgram } from './program.ts';

export interface NginxOptions {
  /** Addresses of the processes behind nginx, such as `http://127.0.0.1:8787`. */
  upstreams: readonly string[];
  /** Additional directives of the `location`. */
  directives?: string;
}

/** A running nginx in front of several processes. */
export interface TestNginx {
  readonly url: string;
  /** Stops nginx. May be called twice. */
  stop(): Promise<void>;
}

/** Starts nginx on a free port. Stop it in `afterAll`, or after the test. */
export async function startNginx(options: NginxOptions): Promise<TestNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(options, port, folder));
  const running = await startProgram({
    command: findProgram('nginx', 'nginx-light'),
    args: ['-e', 'stderr', '-p', folder, '-c', file],
    ready: /start worker process \d/,
    cwd: folder,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await running.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a configuration from the example in `docs/scaling.md`, with the addresses of the test, so
 * that the example is tested.
 */
function configuration({ upstreams, directives = '' }: NginxOptions, port: number, folder: string) {
  const isRoot = process.getuid?.() === 0;
  return `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log stderr notice;
    ${isRoot ? 'user root root;' : ''}
    events { worker_connections 8192; }
    http {
      access_log off;
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      ${configurationOfGuide(upstreams, `127.0.0.1:${port}`, directives)}
    }
  `;
}

function configurationOfGuide(
  upstreams: readonly string[],
  address: string,
  directives: string,
): string {
  const guide = readFileSync(new URL('../../../../../../docs/scaling.md', import.meta.url), 'utf8');
  const example = /^```nginx\n(.*?)^```$/ms.exec(guide)?.[1];
  if (example === undefined) throw new Error('docs/scaling.md contains no nginx configuration.');
  const [, parameters = ''] = /^ *server [\d.:]+(.*);$/m.exec(example) ?? [];
  const servers = upstreams.map((url) => `  server ${new URL(url).host}${parameters};`);
  return example
    .replace(/(^ *server [\d.:]+.*;\n)+/m, `${servers.join('\n')}\n`)
    .replace(/listen .*;/, `listen ${address};`)
    .replace(/^ *(ssl_certificate|ssl_certificate_key|server_name) .*;\n/gm, '')
    .replace(/^( *)proxy_pass .*;/m, `$&\n$1${directives}`);
}
