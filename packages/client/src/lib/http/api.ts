import { type InlayError, isInlayError, networkError, retryableOf } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Ports } from '../ports.ts';
import type { Reachability } from '../reachability.ts';
import type { Reader } from '../responses/read-responses.ts';
import { isAccessDenied, statusOf } from '../tokens/auth-state.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { withTimeout } from '../wait.ts';
import { agentPath, type RequestFields, readBody, requestInit, sendRequest } from './request.ts';

/** Time limit of one request, in milliseconds. */
const timeLimit = 30_000;

export interface CallOptions extends RequestFields {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the path of a session. */
export function sessionPath(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`;
}

/** A request that needs a token. */
export type AuthorizedRequest<Value> = (token: string) => Promise<Value>;

interface AgentApiOptions {
  /** The platform's address, without a slash at its end. */
  readonly baseUrl: string;
  readonly ports: Ports;
  readonly tokens: TokenManager;
  readonly reachability: Reachability;
}

/** Client of the platform's agent service, for calls that need a token. */
export class AgentApi {
  readonly #options: AgentApiOptions;

  constructor(options: AgentApiOptions) {
    this.#options = options;
  }

  /** Returns the URL of a path of the agent service. */
  url(path: string, query: CallOptions['query'] = {}): string {
    const search = new URLSearchParams(omitUndefined(query) as Record<string, string>);
    return `${this.#options.baseUrl}${agentPath}${path}${`${search}` && `?${search}`}`;
  }

  /** Sends a request and reads the JSON body of the response. Retries only after a rejected token. */
  call<Value>(path: string, read: Reader<Value>, options?: CallOptions): Promise<Value> {
    return this.#request(path, options, (response) => readBody(response, read));
  }

  /** Sends a request. The caller reads the body of the response, which the time limit does not include. */
  send(path: string, options?: CallOptions): Promise<Response> {
    return this.#request(path, options, async (response) => response);
  }

  #request<Value>(
    path: string,
    options: CallOptions = {},
    finish: (response: Response) => Promise<Value>,
  ): Promise<Value> {
    const { tokens, ports, reachability } = this.#options;
    const { userSignal } = tokens;
    const { fetch, clock } = ports;
    const { method = 'GET', query } = options;
    const serverNow = () => tokens.serverNow;
    const request = async (token: string) => {
      // The limit includes the body that `call` reads: a connection can become half-open after the headers.
      const result = await withTimeout(
        clock,
        timeLimit,
        userSignal,
        timeoutError,
        async (signal) => {
          const init = { method, ...requestInit(token, options), signal };
          return finish(await sendRequest(fetch, this.url(path, query), init, serverNow));
        },
        options.signal,
      ).catch((error: unknown) => {
        if (isInlayError(error) && error.code === 'NETWORK_ERROR') reachability.reportFailure();
        throw error;
      });
      reachability.reportResponse();
      return result;
    };
    return this.withToken(request, options.signal);
  }

  /**
   * Sends a request with a token. If the platform rejects the token, sends the request again, with a new
   * token, but only once.
   */
  async withToken<Value>(request: AuthorizedRequest<Value>, signal?: AbortSignal): Promise<Value> {
    const { tokens } = this.#options;
    let token = await tokens.get(signal);
    for (let isNew = false; ; isNew = true) {
      try {
        return await request(token);
      } catch (error) {
        if (!isInlayError(error)) throw error;
        const isRejected = error.status === 401;
        if (statusOf(error.code) === 'over_budget') tokens.limit(error);
        if (isAccessDenied(error.code) || (isRejected && isNew)) tokens.reject(token, error);
        if (isRejected && isNew && error.code === 'EMBED_TOKEN_EXPIRED') {
          // The new token had already expired when it was received. A later one may be valid.
          throw retryableOf(error);
        }
        if (!isRejected || isNew) throw error;
        token = await tokens.replace(token, error, signal);
      }
    }
  }
}

function timeoutError(): InlayError {
  return networkError('No response within 30 seconds.');
}
