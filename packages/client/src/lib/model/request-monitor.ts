import { macrotask } from '../testing/macrotask.ts';
import type { ScriptedPlatform } from '../testing/platform/scripted-platform.ts';
import type { HostPage } from './host-page.ts';

/** Checks the token of every request of the client. */
export class RequestMonitor {
  readonly failures: string[] = [];
  readonly #host: HostPage;
  readonly #platform: () => ScriptedPlatform;
  /** Tokens that the client knows to be refused. */
  readonly #refused = new Set<string>();
  /** Tokens of earlier visits must not be used. */
  #firstValidVisit = 0;

  constructor(host: HostPage, platform: () => ScriptedPlatform) {
    this.#host = host;
    this.#platform = platform;
  }

  /** The client has been told that another user uses the page. */
  forget(): void {
    this.#firstValidVisit = this.#host.visit;
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    const what = `${init.method ?? 'GET'} ${pathname}`;
    const { visit = -1 } = this.#host.tokens.get(token) ?? {};
    if (visit < this.#firstValidVisit)
      this.failures.push(`${what} used a token of a previous user`);
    if (this.#refused.has(token))
      this.failures.push(`${what} used a token that was refused before`);
    // A request for the configuration only identifies the user.
    if (!pathname.endsWith('/embed/config'))
      this.#firstValidVisit = Math.max(this.#firstValidVisit, visit);
    const response = await this.#platform().fetch(input, init);
    if (response.status === 401) void this.#refuse(token);
    return response;
  };

  /** Waits until the client has read the response. */
  async #refuse(token: string): Promise<void> {
    await macrotask();
    await macrotask();
    this.#refused.add(token);
  }
}
