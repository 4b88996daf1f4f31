import { InlayError, isInlayError, retryableOf } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Ports } from '../ports.ts';
import type { Reachability } from '../reachability.ts';
import { isBarred, statusOf } from '../tokens/auth-state.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { untilAborted, withTimeout } from '../wait.ts';
import type { Reader } from '../wire/answers.ts';
import { agentPath, type RequestFields, readBody, requestInit, sendRequest } from './request.ts';

/** Time limit of one request, in milliseconds. */
const limit = 30_000;

export interface CallOptions extends RequestFields {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the path of a session. */
export function sessionPath(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`;
}

/** Work that needs a token. It runs again with a new token if the first one is refused. */
export type TokenWork<Value> = (token: string) => Promise<Value>;

/** Client of the platform's agent service, for calls that need a token. */
export class AgentApi {
  readonly #baseUrl: string;
  readonly #ports: Ports;
  readonly #tokens: TokenManager;
  readonly #reachability: Reachability;

  constructor(options: {
    baseUrl: string;
    ports: Ports;
    tokens: TokenManager;
    reachability: Reachability;
  }) {
    this.#baseUrl = options.baseUrl;
    this.#ports = options.ports;
    this.#tokens = options.tokens;
    this.#reachability = options.reachability;
  }

  /** Returns the URL of a path of the agent service. */
  url(path: string, query: CallOptions['query'] = {}): string {
    const search = new URLSearchParams(omitUndefined(query) as Record<string, string>);
    return `${this.#baseUrl}${agentPath}${path}${`${search}` && `?${search}`}`;
  }

  /** Sends a request and reads its JSON body. Only a refused token is retried. */
  call<Value>(path: string, read: Reader<Value>, options?: CallOptions): Promise<Value> {
    return this.#request(path, options, (response) => readBody(response, read));
  }

  /** Sends a request, and leaves the body to the caller. */
  send(path: string, options?: CallOptions): Promise<Response> {
    return this.#request(path, options, async (response) => response);
  }

  #request<Value>(
    path: string,
    options: CallOptions = {},
    finish: (response: Response) => Promise<Value>,
  ): Promise<Value> {
    const { life } = this.#tokens;
    const { fetch, clock } = this.#ports;
    const { method = 'GET', query } = options;
    const serverNow = () => this.#tokens.serverNow;
    const request = async (token: string) => {
      // The body is within the time limit too: a connection cut after the headers reports nothing.
      const answer = await withTimeout(clock, limit, life, noAnswer, async (signal) => {
        const init = { method, ...requestInit(token, options), signal };
        return finish(await sendRequest(fetch, this.url(path, query), init, serverNow));
      }).catch((error: unknown) => {
        if (isInlayError(error) && error.code === 'NETWORK_ERROR')
          this.#reachability.reportFailure();
        throw error;
      });
      this.#reachability.reportResponse();
      return answer;
    };
    const work = this.withToken(request, options.signal);
    return untilAborted(work, options.signal);
  }

  /**
   * Runs `work` with a token. If the platform refuses the token, `work` runs again with a new
   * one; the refusal of a new token is final.
   */
  async withToken<Value>(work: TokenWork<Value>, signal?: AbortSignal): Promise<Value> {
    const tokens = this.#tokens;
    let token = await tokens.get(signal);
    for (let fresh = false; ; fresh = true) {
      try {
        return await work(token);
      } catch (error) {
        if (!isInlayError(error)) throw error;
        const refused = error.status === 401;
        if (statusOf(error.code) === 'over_budget') tokens.limit(error);
        if (isBarred(error.code) || (refused && fresh)) tokens.refuse(token, error);
        if (refused && fresh && error.code === 'EMBED_TOKEN_EXPIRED') {
          // The host's token had expired at its receipt. A later one may be valid.
          throw retryableOf(error);
        }
        if (!refused || fresh) throw error;
        token = await tokens.replace(token, error, signal);
      }
    }
  }
}

function noAnswer(): InlayError {
  return new InlayError('NETWORK_ERROR', 'The platform did not answer within 30 seconds.', {
    retryable: true,
  });
}
