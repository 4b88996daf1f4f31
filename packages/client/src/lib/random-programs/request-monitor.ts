import type { Environment } from './environment.ts';
import type { HostPage } from './host-page.ts';

/** Checks the token of every request of the client. */
export class RequestMonitor {
  readonly failures: string[] = [];
  readonly #host: HostPage;
  readonly #environment: Pick<Environment, 'bed' | 'platform'>;
  /** Tokens that the client knows to be rejected. */
  readonly #rejected = new Set<string>();
  /** Added to the `Last-Event-ID` of the next streams. */
  readonly #shifts: number[] = [];
  /** Smallest `signIns` of a token of the current user. */
  #minSignIns = 0;

  constructor(host: HostPage, environment: Pick<Environment, 'bed' | 'platform'>) {
    this.#host = host;
    this.#environment = environment;
  }

  /** Call this when the host page has reset the client for another user. */
  expectNewUser(): void {
    this.#minSignIns = this.#host.signIns;
  }

  /** Adds to the `Last-Event-ID` of the next streams: a negative number repeats events. */
  shiftNextStreams(...shifts: readonly number[]): void {
    this.#shifts.push(...shifts);
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
    const response = await this.#environment.platform.fetch(input, this.#shift(init));
    if (response.status === 401) void this.#addRejected(token);
    return response;
  };

  #shift(init: RequestInit): RequestInit {
    const headers = new Headers(init.headers);
    const after = headers.get('last-event-id');
    const shift = after === null ? undefined : this.#shifts.shift();
    if (shift === undefined) return init;
    headers.set('last-event-id', String(Math.max(0, Number(after) + shift)));
    return { ...init, headers };
  }

  /** Adds a rejected token after the client has read the response. */
  async #addRejected(token: string): Promise<void> {
    await this.#environment.bed.clock.settle();
    await this.#environment.bed.clock.settle();
    this.#rejected.add(token);
  }
}
