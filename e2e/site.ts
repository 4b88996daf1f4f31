import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { APIRequestContext } from '@playwright/test';

/** Actions of the host's backend that the demo offers as buttons. */
export type BackendAction = 'expire' | 'revoke' | 'revoke-all' | 'block' | 'unblock';

/** The demo (platform, host backend and pages) on free ports, with an initially empty store. */
export class Site {
  readonly platform: string;
  readonly host: string;
  /** Password of the operator `admin` of the console. */
  readonly adminSecret: string;
  readonly #child: ChildProcess;
  readonly #data: string;

  private constructor(
    child: ChildProcess,
    data: string,
    addresses: Pick<Site, 'platform' | 'host' | 'adminSecret'>,
  ) {
    this.#child = child;
    this.#data = data;
    this.platform = addresses.platform;
    this.host = addresses.host;
    this.adminSecret = addresses.adminSecret;
  }

  /** @param environment Additional environment variables of the demo. */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<Site> {
    const data = await mkdtemp(join(tmpdir(), 'inlay-e2e-'));
    mkdirSync('test-results', { recursive: true });
    // Server logs go to a file, because they would interrupt the test report.
    const log = `test-results/site-${process.pid}.log`;
    const child = spawn(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', resolve('demo/src/main.ts')],
      {
        env: {
          ...process.env,
          DEMO_JSON: '1',
          PORT: '0',
          DEMO_PORT: '0',
          INLAY_DATA: data,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stderr.pipe(createWriteStream(log, { flags: 'a' }));
    const output = createInterface({ input: child.stdout });
    for await (const line of output) {
      if (!line.startsWith('{"platform"')) continue;
      return new Site(child, data, JSON.parse(line) as Site);
    }
    throw new Error(`The demo exited before it was ready. See ${resolve(log)}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill('SIGTERM');
    await ended;
    await rm(this.#data, { recursive: true, force: true });
  }

  /** Runs `inlay-server` with the data of the platform. Returns its output. */
  async command(...args: string[]): Promise<string> {
    const program = [
      '--conditions=source',
      '--import',
      'tsx',
      resolve('packages/server/src/main.ts'),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [...program, ...args], {
      env: { ...process.env, INLAY_DATA: this.#data, INLAY_BASE_URL: this.platform },
    });
    return stdout;
  }

  /** Signs a user in, in the browser context of the request object. */
  async signIn(request: APIRequestContext, id: 'ada' | 'linus'): Promise<void> {
    await this.#post(request, '/login', { id });
  }

  /** Performs an action of the host's backend. */
  async control(request: APIRequestContext, action: BackendAction): Promise<void> {
    await this.#post(request, `/failures/${action}`, {});
  }

  async signOut(request: APIRequestContext): Promise<void> {
    await this.#post(request, '/logout', {});
  }

  async network(request: APIRequestContext, state: 'cut' | 'up' | 'slow'): Promise<void> {
    await this.#post(request, '/failures/network', { state });
  }

  async model(request: APIRequestContext, state: 'normal' | 'slow' | 'fail'): Promise<void> {
    await this.#post(request, '/failures/model', { state });
  }

  async server(request: APIRequestContext, state: 'killed' | 'running'): Promise<void> {
    await this.#post(request, '/failures/platform', { state });
  }

  /** Makes a mistake in the setup of the site; `none` corrects it. */
  async mistake(request: APIRequestContext, state: string): Promise<void> {
    await this.#post(request, '/failures/mistake', { state });
  }

  /** Deletes the latest conversations of the signed-in user, up to 100. */
  async forgetConversations(request: APIRequestContext): Promise<void> {
    const issued = await request.post(`${this.host}/api/chat-token`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const { token } = (await issued.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}`, origin: this.host };
    const address = `${this.platform}/agent/v1/sessions`;
    const listed = await request.get(`${address}?limit=100`, { headers });
    const { data } = (await listed.json()) as { data: { id: string }[] };
    for (const { id } of data) await request.delete(`${address}/${id}`, { headers });
  }

  async #post(request: APIRequestContext, path: string, data: object): Promise<void> {
    const response = await request.post(`${this.host}${path}`, {
      data,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    if (!response.ok())
      throw new Error(`${path} answered ${response.status()}: ${await response.text()}`);
  }
}
