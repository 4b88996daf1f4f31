import { idPrefix } from '@inlay/protocol';
import { browserPorts, type Clock } from '../../ports.ts';
import { untilAborted } from '../../wait.ts';
import { Faults } from '../faults.ts';
import { Gates } from '../gates.ts';
import { interceptUploads } from '../intercept-uploads.ts';
import { Network, networkError } from '../network.ts';
import { seededRandom } from '../seeded-random.ts';
import { agentFor } from './embed-config.ts';
import { Files } from './files.ts';
import { Ids } from './ids.ts';
import type { PlatformParts } from './platform-parts.ts';
import { ProblemError } from './problem-error.ts';
import { type RecordedRequest, recordRequest } from './recorded-request.ts';
import {
  addressOf,
  checkIdempotencyKey,
  notFoundError,
  type PlatformRequest,
  readRequest,
} from './request.ts';
import { publicRoutes, userRoutes } from './routes.ts';
import { type AnswerOption, validateSteps } from './script.ts';
import type { ScriptedSession } from './session.ts';
import { type NewSession, Sessions } from './sessions.ts';
import type { ConfigOption, PlatformSettings } from './settings.ts';
import { configFor } from './settings.ts';
import { type IssuedToken, type IssueOptions, Tokens } from './tokens.ts';

export interface ScriptedPlatformOptions {
  /** Address of the platform. No request is sent to it. Default: `https://platform.test`. */
  readonly baseUrl?: string;
  /** The answer to messages: see `answer`. Default: `Hello.` */
  readonly answer?: AnswerOption;
  /** The platform's clock: `elsewhere` of a `FakeClock`. Default: the real clock. */
  readonly clock?: Clock;
  /**
   * Parts of `embed/config` that replace the default: the name, the greeting, the starter prompts. A
   * function receives the user.
   */
  readonly config?: ConfigOption;
  /** Publishable keys of anonymous visitors. Default: `pk_test`. */
  readonly publishableKeys?: readonly string[];
  /**
   * Allowed origins. Default: null, all. In Node, where `fetch` sends no origin, requests have the
   * origin `pageOrigin`.
   */
  readonly allowedOrigins?: readonly string[] | null;
  /** Origin of requests without one. Default: `https://app.test`. */
  readonly pageOrigin?: string;
  /** Seed of the random lifetime of streams. Default: 1. */
  readonly seed?: number;
}

/**
 * An in-process platform for tests, with tokens, sessions, logs, streams and scripted answers. The
 * client receives it as `ports.fetch`.
 */
export class ScriptedPlatform {
  readonly baseUrl: string;
  /** Faults between the page and the platform. */
  readonly faults: Faults;
  /** All requests without their secrets, oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #parts: PlatformParts;
  readonly #gates = new Gates();
  readonly #pageOrigin: string;
  #answerOption: AnswerOption;

  constructor(options: ScriptedPlatformOptions = {}) {
    const clock = options.clock ?? browserPorts().clock;
    const ids = new Ids();
    this.baseUrl = (options.baseUrl ?? 'https://platform.test').replace(/\/+$/, '');
    this.#answerOption = validateSteps(options.answer === undefined ? 'Hello.' : options.answer);
    const network = new Network(clock);
    this.faults = new Faults(network, Object.keys({ ...publicRoutes, ...userRoutes }));
    this.#pageOrigin = options.pageOrigin ?? 'https://app.test';
    const settings: PlatformSettings = {
      config: options.config ?? {},
      publishableKeys: options.publishableKeys ?? ['pk_test'],
      allowedOrigins: options.allowedOrigins ?? null,
    };
    const ports = { clock, ids, gates: this.#gates, answer: () => this.answer };
    this.#parts = {
      clock,
      ids,
      settings,
      random: seededRandom(options.seed),
      tokens: new Tokens(clock, ids),
      files: new Files(clock, ids),
      sessions: new Sessions(ports, {
        agent: (user) => agentFor(settings, user),
        allowances: (user) => configFor(settings, user).allowances ?? [],
      }),
      network,
    };
  }

  /**
   * The answer to messages: a text, a list of steps, null if the test sends the events, or a function
   * that returns one of these. Read for each message.
   */
  get answer(): AnswerOption {
    return this.#answerOption;
  }

  set answer(option: AnswerOption) {
    this.#answerOption = validateSteps(option);
  }

  /** Settings that a test may change: `config`, `publishableKeys`, `allowedOrigins`. */
  get settings(): PlatformSettings {
    return this.#parts.settings;
  }

  /** All sessions, oldest first. */
  get sessions(): readonly ScriptedSession[] {
    return this.#parts.sessions.all;
  }

  /** Returns the session with this id, or the newest session. Throws if there is none. */
  session(id?: string): ScriptedSession {
    const { sessions } = this.#parts;
    const session = id === undefined ? sessions.all.at(-1) : sessions.find(id);
    if (session) return session;
    throw new TypeError(
      id === undefined ? 'There is no session yet.' : `There is no session ${id}.`,
    );
  }

  /** Creates a session. */
  createSession(options: NewSession): ScriptedSession {
    return this.#parts.sessions.create(options);
  }

  /** Issues a token for a user, as your backend does. Throws for a blocked user. */
  issue(user: string, options?: IssueOptions): IssuedToken {
    return this.#parts.tokens.issue(user, options);
  }

  /** Returns the address of a hosted page. Its `#c=` code works once, within 60 seconds. */
  hostedUrl(user: string, options?: IssueOptions): string {
    const { tokens } = this.#parts;
    const code = tokens.createCode(tokens.issue(user, options).token);
    return `${this.baseUrl}/embed#c=${code}`;
  }

  /** Expires a token now. `token` may also be the token's id, `emb_…`. */
  expire(token: string): void {
    this.#parts.tokens.invalidate(token, 'EMBED_TOKEN_EXPIRED');
  }

  /** Revokes a token. `token` may also be the token's id, `emb_…`. */
  revoke(token: string): void {
    this.#parts.tokens.invalidate(token, 'EMBED_TOKEN_REVOKED');
  }

  /** Revokes all tokens of a user, and stops their runs. New tokens may be issued. */
  revokeAll(user: string): void {
    this.#parts.tokens.revokeUser(user);
    this.#parts.sessions.interrupt(user);
  }

  /** Blocks a user, and revokes their tokens. */
  block(user: string): void {
    this.revokeAll(user);
    this.#parts.tokens.block(user, true);
  }

  /** Unblocks a user. Revoked tokens stay revoked. */
  unblock(user: string): void {
    this.#parts.tokens.block(user, false);
  }

  /** Continues an answer that waits at the step `{ hold: name }`, or will reach it. */
  release(name: string): void {
    this.#gates.open(name);
  }

  /** Returns the number of requests of a name, such as `GET /sessions/{id}/events/stream`. */
  count(name: string | RegExp): number {
    const matches = (requestName: string) =>
      typeof name === 'string' ? name === requestName : name.test(requestName);
    return this.requests.filter((request) => matches(request.name)).length;
  }

  /** Replaces `fetch` for addresses below `baseUrl`. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = await readRequest(this.baseUrl, input, init);
    request.signal.throwIfAborted();
    const issuance = this.#parts.tokens.findKnown(request.token);
    this.requests.push(recordRequest(request, issuance, this.#parts.clock.now()));
    return untilAborted(this.#answer(request), request.signal).catch((error: unknown) => {
      // `fetch` rejects with the reason of the signal.
      request.signal.throwIfAborted();
      throw error;
    });
  };

  /**
   * Replaces the global `fetch`, and `XMLHttpRequest` for uploads, for addresses below `baseUrl`. For
   * pages that create their own client, such as with `<inlay-chat>` or the script tag.
   *
   * @returns The function that restores them.
   */
  interceptFetch(): () => void {
    const original = globalThis.fetch;
    const isOurs = (url: string) => url.startsWith(`${this.baseUrl}/agent/v1/`);
    globalThis.fetch = (input, init) =>
      isOurs(addressOf(input)) ? this.fetch(input, init) : original(input, init);
    const restoreUploads = interceptUploads(isOurs, this.fetch);
    return () => {
      restoreUploads();
      globalThis.fetch = original;
    };
  }

  async #answer(request: PlatformRequest): Promise<Response> {
    const { network, ids } = this.#parts;
    let response: Response;
    try {
      const replacement = await network.receive(request.name, request.signal);
      if (replacement) return replacement;
      response = await this.#process(request);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      response = error.toResponse(this.baseUrl, ids.next(idPrefix.problem));
    }
    if (!network.losesResponse(request.name)) return response;
    await response.body?.cancel();
    throw networkError();
  }

  #process(request: PlatformRequest): Response | Promise<Response> {
    const { tokens, settings } = this.#parts;
    const { name, headers } = request;
    const origin = headers.get('origin') ?? this.#pageOrigin;
    if (settings.allowedOrigins && !settings.allowedOrigins.includes(origin)) {
      throw new ProblemError('EMBED_ORIGIN_NOT_ALLOWED');
    }
    const publicRoute = publicRoutes[name];
    if (publicRoute) return publicRoute(request, this.#parts);
    const issuance = tokens.find(request.token);
    const route = userRoutes[name];
    if (!route) throw notFoundError();
    checkIdempotencyKey(request.key);
    return route({ request, parts: this.#parts, issuance });
  }
}

/** Creates a scripted platform. Pass the client its `baseUrl`, and its `fetch` as `ports.fetch`. */
export function createScriptedPlatform(options: ScriptedPlatformOptions = {}): ScriptedPlatform {
  return new ScriptedPlatform(options);
}
