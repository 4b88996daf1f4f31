import { macrotask } from '../testing/macrotask.ts';
import type { ScriptedPlatform } from '../testing/platform/scripted-platform.ts';
import type { HostPage } from './host-page.ts';

/** Checks the token of every request of the client. */
export class RequestMonitor {
  readonly failures: string[] = [];
  readonly #host: HostPage;
  readonly #platform: () => ScriptedPlatform;
  /** Tokens that the client knows to be rejected. */
  readonly #rejected = new Set<string>();
  /** Smallest `signIns` of a token of the current user. */
  #minSignIns = 0;

  constructor(host: HostPage, platform: () => ScriptedPlatform) {
    this.#host = host;
    this.#platform = platform;
  }

  /** Call this when the host page has reset the client for another user. */
  expectNewUser(): void {
    this.#minSignIns = this.#host.signIns;
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    const request = `${init.method ?? 'GET'} ${pathname}`;
    const { signIns = -1 } = this.#host.tokens.get(token) ?? {};
    if (signIns < this.#minSignIns)
      this.failures.push(`${request} used a token of a previous user`);
    if (this.#rejected.has(token))
      this.failures.push(`${request} used a token that was rejected before`);
    // The client learns the user by requesting the configuration with the new token.
    if (!pathname.endsWith('/embed/config')) this.#minSignIns = Math.max(this.#minSignIns, signIns);
    const response = await this.#platform().fetch(input, init);
    if (response.status === 401) void this.#addRejected(token);
    return response;
  };

  /** Adds a rejected token after the client has read the response. */
  async #addRejected(token: string): Promise<void> {
    await macrotask();
    await macrotask();
    this.#rejected.add(token);
  }
}
