import { macrotask } from '../testing/macrotask.ts';
import type { ScriptedPlatform } from '../testing/platform/scripted-platform.ts';
import type { HostPage } from './host-page.ts';

/** Stands between the client and the platform, and looks at the token of every request. */
export class Door {
  readonly faults: string[] = [];
  readonly #host: HostPage;
  readonly #platform: () => ScriptedPlatform;
  /** Tokens that the client knows to be refused. */
  readonly #refused = new Set<string>();
  /** Of which stays at the page no token may come any more: those before. */
  #since = 0;

  constructor(host: HostPage, platform: () => ScriptedPlatform) {
    this.#host = host;
    this.#platform = platform;
  }

  /** The client was told that another person uses the page. */
  forget(): void {
    this.#since = this.#host.stay;
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    const what = `${init.method ?? 'GET'} ${pathname}`;
    const { stay = -1 } = this.#host.given.get(token) ?? {};
    if (stay < this.#since) this.faults.push(`${what} bore a token of a former person`);
    if (this.#refused.has(token)) this.faults.push(`${what} bore a token that was refused before`);
    // Asking whose a token is does not use it for anybody.
    if (!pathname.endsWith('/embed/config')) this.#since = Math.max(this.#since, stay);
    const response = await this.#platform().fetch(input, init);
    if (response.status === 401) void this.#refuse(token);
    return response;
  };

  /** The client knows it when it has read the answer. */
  async #refuse(token: string): Promise<void> {
    await macrotask();
    await macrotask();
    this.#refused.add(token);
  }
}
