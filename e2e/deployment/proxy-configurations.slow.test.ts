/** Tests the proxy configurations of the guides and of `deploy/` with the proxies themselves. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blocksOf } from '../../docs/scripts/blocks.ts';
import { guides } from '../../docs/scripts/guides.ts';
import {
  findProgram,
  startProgram,
} from '../../packages/server/src/lib/testing/services/program.ts';
import { freePort } from '../../scripts/free-port.mjs';

const guide = 'docs/troubleshooting.md';
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read(guide);

/** Returns the guide's configuration of a proxy, with the address of the test's upstream. */
function configurationOf(language: string, upstream: string): string {
  const [block] = blocksOf(guide, text).filter((each) => each.language === language);
  if (!block?.code.includes('127.0.0.1:8787')) throw new Error(`${guide} has no ${language} block`);
  return block.code.replaceAll('127.0.0.1:8787', upstream);
}

/** Starts an upstream whose streams stay open. `streams` are their responses. */
async function startUpstream() {
  const streams: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    streams.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { streams, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startApache(upstream: string): Promise<string> {
  const folder = temporaryFolder();
  const port = await freePort();
  const modules = 'mpm_event authz_core setenvif filter deflate proxy proxy_http'.split(' ');
  const file = join(folder, 'apache.conf');
  writeFileSync(
    file,
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerName localhost
Listen 127.0.0.1:${port}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
ErrorLog "|/bin/cat"
LogLevel notice mpm_event:debug
${process.getuid?.() === 0 ? 'User daemon\nGroup daemon' : ''}
SetOutputFilter DEFLATE
${configurationOf('apache', upstream)}
`,
  );
  const apache = await startProgram({
    command: findProgram('apache2', 'apache2-bin'),
    args: ['-X', '-f', file],
    ready: /start_threads/,
  });
  onTestFinished(() => apache.end('SIGKILL'));
  return `http://127.0.0.1:${port}`;
}

async function startCaddy(upstream: string): Promise<string> {
  const folder = temporaryFolder();
  const address = `http://127.0.0.1:${await freePort()}`;
  const file = join(folder, 'Caddyfile');
  const site = configurationOf('caddy', upstream).replace(/^\S+ \{/, `${address} {`);
  writeFileSync(file, `{\n  admin off\n}\n${site}\n`);
  const caddy = await startProgram({
    command: findProgram('env', 'coreutils'),
    // Caddy stores its state below the home directory.
    args: [
      `HOME=${folder}`,
      findProgram('caddy', 'caddy'),
      ...['run', '--adapter', 'caddyfile', '--config', file],
    ],
    ready: /serving initial configuration/,
  });
  onTestFinished(() => caddy.end('SIGKILL'));
  return address;
}

describe('a proxy with the configuration of the guide', () => {
  it.each([
    ['Apache', startApache],
    ['Caddy', startCaddy],
  ])(
    '%s forwards each event before the next one is sent',
    async (_, startProxy) => {
      const upstream = await startUpstream();
      const proxy = await startProxy(upstream.address);

      const response = await fetch(`${proxy}/agent/v1/sessions/ses_1/events/stream`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        upstream.streams[0]?.write(event);
        // Hangs until the timeout of the test if the proxy buffers.
        expect(await reader?.read()).toEqual({ done: false, value: event });
      }
      await reader?.cancel();
    },
    60_000,
  );
});

describe('nginx', () => {
  /** Checks an `http` block. Throws if nginx does not accept it. */
  function checkNginx(http: string): void {
    const file = join(temporaryFolder(), 'nginx.conf');
    writeFileSync(file, `pid ${file}.pid;\nevents {}\nhttp {\n${http}\n}\n`);
    execFileSync(findProgram('nginx', 'nginx-light'), ['-t', '-q', '-e', 'stderr', '-c', file], {
      stdio: 'pipe',
    });
  }

  it('accepts deploy/nginx.conf', () => {
    checkNginx(read('deploy/nginx.conf').replace('inlay:8787', '127.0.0.1:8787'));
  });

  it('accepts the configurations of the guides', () => {
    const blocks = ['README.md', ...guides()]
      .flatMap((path) => blocksOf(path, read(path)))
      .filter(({ language }) => language === 'nginx');
    expect(blocks).toHaveLength(2);
    for (const { code } of blocks) {
      // The certificate's files do not exist here.
      const server = code
        .replaceAll(/^ *ssl_certificate(?:_key)? .*\n/gm, '')
        .replace(' ssl ', ' ');
      checkNginx(/^location /m.test(server) ? `server {\n${server}\n}` : server);
    }
  });
});
