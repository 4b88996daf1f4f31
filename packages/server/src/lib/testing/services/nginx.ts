import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, startProgram } from './program.ts';

export interface NginxOptions {
  /** Addresses of the processes behind it, such as `http://127.0.0.1:8787`. */
  upstreams: readonly string[];
  /** Further directives of the one `location`. */
  directives?: string;
}

/** A real nginx on a port of its own, in front of several processes. */
export interface TestNginx {
  readonly url: string;
  /** Ends it. Twice is fine. */
  stop(): Promise<void>;
}

/** Starts one. Stop it in `afterAll`, or after the test. */
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
 * What session streams want of a proxy: no buffer, HTTP/1.1, and patience. A process that does not
 * take a request is left out for a second, and the next one asked; what one has taken is not sent
 * again, unless that does no harm.
 */
function configuration({ upstreams, directives = '' }: NginxOptions, port: number, folder: string) {
  const servers = upstreams.map(
    (url) => `server ${new URL(url).host} max_fails=1 fail_timeout=1s;`,
  );
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
      client_max_body_size 64m;
      upstream inlay {
        ${servers.join('\n        ')}
        keepalive 64;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://inlay;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_buffering off;
          proxy_read_timeout 1h;
          proxy_next_upstream error timeout;
          ${directives}
        }
      }
    }
  `;
}
