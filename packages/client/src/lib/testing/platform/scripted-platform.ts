import { idPrefix } from '@inlay/protocol';
import { browserPorts, type Clock } from '../../ports.ts';
import { Faults } from '../faults.ts';
import { Gates } from '../gates.ts';
import { networkError, untilGivenUp } from '../given-up.ts';
import { interceptUploads } from '../intercept-uploads.ts';
import { Network } from '../network.ts';
import { seededRandom } from '../seeded-random.ts';
import { agentFor } from './embed-config.ts';
import { Files } from './files.ts';
import { Ids } from './ids.ts';
import type { PlatformParts } from './parts.ts';
import { type RecordedRequest, record } from './recorded-request.ts';
import { Refusal } from './refusal.ts';
import { addressOf, checkKey, nothingHere, type PlatformRequest, readRequest } from './request.ts';
import { publicRoutes, userRoutes } from './routes.ts';
import { type AnswerOption, checked } from './script.ts';
import type { ScriptedSession } from './session.ts';
import { type NewSession, Sessions } from './sessions.ts';
import type { ConfigOption, PlatformSettings } from './settings.ts';
import { configFor } from './settings.ts';
import { type IssuedToken, type IssueOptions, Tokens } from './tokens.ts';

export interface ScriptedPlatformOptions {
  /** Where the page believes the platform to be. Nothing is sent there. Default: `https://platform.test`. */
  readonly baseUrl?: string;
  /** How messages are answered. Default: `Hello.` See `answer`. */
  readonly answer?: AnswerOption;
  /** The platform's clock. With a `FakeClock`, give its `elsewhere`. Default: the real one. */
  readonly clock?: Clock;
  /**
   * Parts of `embed/config` that differ from a plain agent's: its name, the greeting, the starter
   * prompts. A function is told whose token it is.
   */
  readonly config?: ConfigOption;
  /** Publishable keys that visitors may come by. Default: `pk_test`. */
  readonly publishableKeys?: readonly string[];
  /**
   * Origins whose pages may talk with the platform: an empty list denies every one. Default: null,
   * all. In Node, where `fetch` names no origin, requests count as coming from `pageOrigin`.
   */
  readonly allowedOrigins?: readonly string[] | null;
  /** Origin of requests that name none. Default: `https://app.test`. */
  readonly pageOrigin?: string;
  /** Seed of the platform's own chance: when it ends long streams. Default: 1. */
  readonly seed?: number;
}

/**
 * The agent service inside the page's own process, for tests: real tokens, sessions, logs and
 * streams, and answers by script. The client gets it as `ports.fetch`.
 */
export class ScriptedPlatform {
  readonly baseUrl: string;
  /** What can go wrong on the way. */
  readonly faults: Faults;
  /** Every request that was made, oldest first. No secret is in it. */
  readonly requests: RecordedRequest[] = [];
  readonly #parts: PlatformParts;
  readonly #gates = new Gates();
  readonly #pageOrigin: string;
  #answerOption: AnswerOption;

  constructor(options: ScriptedPlatformOptions = {}) {
    const clock = options.clock ?? browserPorts().clock;
    const ids = new Ids();
    this.baseUrl = (options.baseUrl ?? 'https://platform.test').replace(/\/+$/, '');
    this.#answerOption = checked(options.answer === undefined ? 'Hello.' : options.answer);
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
   * How a message is answered: a text, a list of steps, null to leave it to the test; or a function
   * of the question that gives one of these. Read for each message.
   */
  get answer(): AnswerOption {
    return this.#answerOption;
  }

  set answer(option: AnswerOption) {
    this.#answerOption = checked(option);
  }

  /** What may change while a test runs: `config`, `publishableKeys`, `allowedOrigins`. */
  get settings(): PlatformSettings {
    return this.#parts.settings;
  }

  /** Every session, oldest first. */
  get sessions(): readonly ScriptedSession[] {
    return this.#parts.sessions.all;
  }

  /** The session of this id, or the newest. Throws where there is none. */
  session(id?: string): ScriptedSession {
    const { sessions } = this.#parts;
    const session = id === undefined ? sessions.all.at(-1) : sessions.find(id);
    if (session) return session;
    throw new TypeError(
      id === undefined ? 'There is no session yet.' : `There is no session ${id}.`,
    );
  }

  /** Makes a session, as if the person had talked before. */
  createSession(options: NewSession): ScriptedSession {
    return this.#parts.sessions.create(options);
  }

  /** Issues a token for a person, as your backend would. Throws where the person is blocked. */
  issue(user: string, options?: IssueOptions): IssuedToken {
    return this.#parts.tokens.issue(user, options);
  }

  /** The address of a hosted page for a person: its `#c=` works once, within 60 seconds. */
  hostedUrl(user: string, options?: IssueOptions): string {
    const { tokens } = this.#parts;
    const code = tokens.createCode(tokens.issue(user, options).token);
    return `${this.baseUrl}/embed#c=${code}`;
  }

  /** Lets a token expire now. It is named by itself, or by the id of its issuance. */
  expire(token: string): void {
    this.#parts.tokens.end(token, 'EMBED_TOKEN_EXPIRED');
  }

  /** Revokes a token. It is named by itself, or by the id of its issuance. */
  revoke(token: string): void {
    this.#parts.tokens.end(token, 'EMBED_TOKEN_REVOKED');
  }

  /** Revokes all tokens of a person, and stops what runs for them. New ones may be issued. */
  revokeAll(user: string): void {
    this.#parts.tokens.revokeUser(user);
    this.#parts.sessions.interrupt(user);
  }

  /** Revokes all tokens of a person, and issues no more. */
  block(user: string): void {
    this.revokeAll(user);
    this.#parts.tokens.block(user, true);
  }

  /** Takes a block back. Old tokens stay revoked. */
  unblock(user: string): void {
    this.#parts.tokens.block(user, false);
  }

  /** Lets an answer go on that came to the step `{ hold: name }`, or will come to it. */
  release(name: string): void {
    this.#gates.open(name);
  }

  /** How often a request of this name was made: `GET /sessions/{id}/events/stream`. */
  count(name: string | RegExp): number {
    const fits = (other: string) => (typeof name === 'string' ? name === other : name.test(other));
    return this.requests.filter((request) => fits(request.name)).length;
  }

  /** In place of the global `fetch`. Answers only what is below `baseUrl`. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = await readRequest(this.baseUrl, input, init);
    request.signal.throwIfAborted();
    const issuance = this.#parts.tokens.known(request.token);
    this.requests.push(record(request, issuance, this.#parts.clock.now()));
    return untilGivenUp(this.#answer(request), request.signal);
  };

  /**
   * Takes the place of the global `fetch`, and of `XMLHttpRequest` for uploads, for pages whose client is made by somebody else: an
   * `<inlay-chat>`, the script tag. What is not below `baseUrl` is fetched as before. Returns the undo.
   */
  interceptFetch(): () => void {
    const former = globalThis.fetch;
    const isOurs = (url: string) => url.startsWith(`${this.baseUrl}/agent/v1/`);
    globalThis.fetch = (input, init) =>
      isOurs(addressOf(input)) ? this.fetch(input, init) : former(input, init);
    const letUploads = interceptUploads(isOurs, this.fetch);
    return () => {
      letUploads();
      globalThis.fetch = former;
    };
  }

  async #answer(request: PlatformRequest): Promise<Response> {
    const { network, ids } = this.#parts;
    let response: Response;
    try {
      const instead = await network.arrive(request.name, request.signal);
      if (instead) return instead;
      response = await this.#process(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response = error.toResponse(this.baseUrl, ids.next(idPrefix.problem));
    }
    if (!network.loses(request.name)) return response;
    await response.body?.cancel();
    throw networkError();
  }

  #process(request: PlatformRequest): Response | Promise<Response> {
    const { tokens, settings } = this.#parts;
    const { name, headers } = request;
    const origin = headers.get('origin') ?? this.#pageOrigin;
    if (settings.allowedOrigins && !settings.allowedOrigins.includes(origin)) {
      throw new Refusal('EMBED_ORIGIN_NOT_ALLOWED');
    }
    const open = publicRoutes[name];
    if (open) return open(request, this.#parts);
    const issuance = tokens.find(request.token);
    const route = userRoutes[name];
    if (!route) throw nothingHere();
    checkKey(request.key);
    return route({ request, parts: this.#parts, issuance });
  }
}

/** A scripted platform: give the client its `baseUrl`, and its `fetch` as `ports.fetch`. */
export function createScriptedPlatform(options: ScriptedPlatformOptions = {}): ScriptedPlatform {
  return new ScriptedPlatform(options);
}
