import type { FieldError, Problem } from '@inlay/protocol';

/** The signed-in operator. */
export interface Operator {
  readonly name: string;
  readonly role: 'viewer' | 'admin';
  readonly has_password: boolean;
  /** Whether the operator signs in through the OpenID Connect provider, and so has no password. */
  readonly has_account: boolean;
}

/** The ways to sign in. */
export interface SignInWays {
  readonly passwords: boolean;
  /** The OpenID Connect provider; null for none. */
  readonly oidc: { readonly label: string } | null;
}

interface SessionResponse {
  readonly operator: Operator;
  /** Sent with each change. */
  readonly token: string;
  /** Public URL of the platform. */
  readonly base_url: string;
}

/** Parameters of a query; empty ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** A request that the platform refused, or that did not reach it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The invalid fields of the body. */
  readonly errors: readonly FieldError[];

  constructor(status: number, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** The API of the console. */
export class Api {
  readonly #onSignedOut: () => void;
  #token = '';
  #baseUrl = '';

  /** @param onSignedOut Called when a request shows that the session has ended. */
  constructor(onSignedOut: () => void) {
    this.#onSignedOut = onSignedOut;
  }

  /** Public URL of the platform, which can differ from that of the console. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** The operator who is signed in; null without a session. */
  async operator(): Promise<Operator | null> {
    const response = await this.#fetch('GET', 'session');
    if (response.status === 401) return null;
    return this.#start(response);
  }

  async signInWays(): Promise<SignInWays> {
    const response = await this.#fetch('GET', 'sign_in');
    await throwProblem(response);
    return response.json();
  }

  async signIn(credential: { name: string; password: string } | { link: string }) {
    return this.#start(await this.#fetch('POST', 'session', credential));
  }

  async setPassword(body: { current?: string; password: string }): Promise<Operator> {
    return this.#start(await this.#fetch('POST', 'password', body));
  }

  async signOut(): Promise<void> {
    await this.#fetch('DELETE', 'session');
    this.#onSignedOut();
  }

  async get<Result>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Result> {
    return (await this.#request('GET', path, query, signal)).json();
  }

  async file(path: string, query: Query = {}, signal?: AbortSignal): Promise<Blob> {
    return (await this.#request('GET', path, query, signal)).blob();
  }

  async delete(path: string): Promise<void> {
    await this.#request('DELETE', path);
  }

  async post<Result>(path: string, body: object = {}): Promise<Result> {
    return (await this.#request('POST', path, {}, undefined, body)).json();
  }

  async postForFile(path: string): Promise<Blob> {
    return (await this.#request('POST', path, {}, undefined, {})).blob();
  }

  async #start(response: Response): Promise<Operator> {
    await throwProblem(response);
    const { operator, token, base_url: baseUrl } = (await response.json()) as SessionResponse;
    this.#token = token;
    this.#baseUrl = baseUrl;
    return operator;
  }

  async #request(
    method: string,
    path: string,
    query: Query = {},
    signal?: AbortSignal,
    body?: object,
  ): Promise<Response> {
    const entries = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    );
    const search = entries.length > 0 ? `?${new URLSearchParams(entries)}` : '';
    const response = await this.#fetch(method, path + search, body, signal);
    if (response.status === 401) this.#onSignedOut();
    await throwProblem(response);
    return response;
  }

  async #fetch(method: string, path: string, body?: object, signal?: AbortSignal) {
    try {
      return await fetch(new URL(`api/${path}`, document.baseURI), {
        method,
        headers: {
          ...(method !== 'GET' && { 'x-console-token': this.#token }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new RequestError(0, 'The platform cannot be reached. Check your connection.');
    }
  }
}

async function throwProblem(response: Response): Promise<void> {
  if (response.ok) return;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new RequestError(
    response.status,
    problem?.detail ?? `The platform responded with ${response.status}.`,
    problem?.errors,
  );
}
