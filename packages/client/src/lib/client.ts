import type { Consent, EmbedConfig, Forgotten, GiveConsentRequest } from '@inlay/protocol';
import { type Activity, activityListeners } from './activity/activity.ts';
import { longWaitEnd } from './backoff.ts';
import { SessionConversation } from './conversation/conversation.ts';
import { DraftStore } from './conversation/drafts.ts';
import { Outbox } from './conversation/outbox.ts';
import type { DiagnoseOptions, DiagnosisReport } from './diagnose/report.ts';
import type { DiagnosticListener } from './diagnostics.ts';
import { closedError, InlayError, subjectChanged, throwNetworkError } from './errors.ts';
import { AgentApi, type CallOptions, sessionPath } from './http/api.ts';
import { agentPath, readBlob, readBody, requestInit, sendRequest } from './http/request.ts';
import type {
  Conversation,
  EarlierVisitor,
  Files,
  InlayClient,
  InlayClientOptions,
  Sessions,
} from './inlay-client.ts';
import { safeStore } from './page-store.ts';
import { browserPorts, type Ports } from './ports.ts';
import { Reachability } from './reachability.ts';
import {
  readConfig,
  readConsent,
  readSession,
  readSessionPage,
} from './responses/read-responses.ts';
import { retry } from './retry.ts';
import type { StreamContext } from './stream/stream-context.ts';
import type { AuthState } from './tokens/auth-state.ts';
import type { VisitorLocation } from './tokens/sources/anonymous.ts';
import { TokenManager } from './tokens/token-manager.ts';
import type { TokenFacts, TokenSource } from './tokens/token-source.ts';
import type { UserDataContext } from './tokens/user-data.ts';
import { abortError } from './wait.ts';

/**
 * Creates the client of one page.
 *
 * @throws {InlayError} `INVALID_OPTION`, with the option and the remedy in its message.
 */
export function createInlayClient(options: InlayClientOptions): InlayClient {
  return new Client(options);
}

/** The agent's configuration, and the properties of the token that it contains. */
interface ConfigFacts extends TokenFacts {
  readonly config: EmbedConfig;
}

/** `Symbol.dispose`, or a substitute in browsers without explicit resource management. */
const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

class Client implements InlayClient {
  readonly sessions: Sessions;
  readonly files: Files;
  readonly #tokens: TokenManager<ConfigFacts>;
  readonly #context: StreamContext & UserDataContext & { readonly source: TokenSource };
  readonly #drafts: DraftStore;
  /** One outbox for each session that is open or has unsent messages. */
  readonly #outboxes = new Set<Outbox>();
  /** The pending request for the configuration; null for none. */
  #pendingConfig: Promise<EmbedConfig> | null = null;

  constructor(options: InlayClientOptions) {
    const baseUrl = readBaseUrl(options.baseUrl);
    if (typeof options.tokens?.request !== 'function') {
      throw new InlayError(
        'INVALID_OPTION',
        'tokens must be hostTokens(…), anonymousVisitor(…) or hostedCode().',
      );
    }
    if (typeof (options.onDiagnostic ?? String) !== 'function') {
      throw new InlayError('INVALID_OPTION', 'onDiagnostic must be a function.');
    }
    const onActivity = (activity: Activity) => {
      for (const listener of activityListeners() ?? [])
        callListener(() => listener(activity, this));
    };
    const onDiagnostic: DiagnosticListener = (diagnostic) => {
      Object.freeze(diagnostic);
      if ('error' in diagnostic) globalThis.reportError?.(diagnostic.error);
      callListener(() => options.onDiagnostic?.(diagnostic));
      onActivity(diagnostic);
    };
    const { fetch, ...others } = browserPorts(options.ports);
    // A `fetch` that reports requests to the inspector. Its module is loaded when an inspector listens.
    let observed: Promise<typeof fetch> | undefined;
    const ports: Ports = {
      ...others,
      fetch: (...request) => {
        if (!activityListeners()) return fetch(...request);
        observed ??= import('./activity/observe-requests.ts').then(
          ({ observeRequests }) => observeRequests(this.#context, fetch, onActivity),
          () => fetch,
        );
        return observed.then((send) => send(...request));
      },
    };
    const tokens = new TokenManager<ConfigFacts>({
      source: options.tokens,
      baseUrl,
      ports,
      describe: (token, signal) => this.#describe(token, signal),
      onSubjectChange: () => this.#wipe(),
      onDiagnostic,
    });
    const reachability = new Reachability();
    const platform = new AgentApi({ baseUrl, ports, tokens, reachability });
    this.#tokens = tokens;
    this.#context = {
      ports,
      tokens,
      platform,
      reachability,
      transport: options.transport,
      onDiagnostic,
      network: { buffersStreams: false },
      source: options.tokens,
      baseUrl,
      config: () => this.config(),
    };
    const store = safeStore(options.draftStore ?? 'session', 'draftStore');
    // The drafts wait for the configuration, which names the user. The request is repeated until access
    // is granted.
    this.#drafts = new DraftStore(store, baseUrl, async () => {
      const { known, userSignal: signal } = tokens;
      const retryOptions = { ...this.#context, signal, retryWhileDenied: true };
      return known?.config ?? retry(() => this.config(), retryOptions);
    });
    this.sessions = ownSessions(platform, () => tokens.userSignal);
    const loadFiles = async () => {
      const { userSignal } = tokens;
      const { createUserFiles } = await import('./files/files.ts').catch(throwNetworkError);
      if (userSignal.aborted) throw abortError(userSignal);
      return createUserFiles({ ...this.#context, onActivity }, userSignal);
    };
    this.files = {
      upload: async (...args) => (await loadFiles()).upload(...args),
      content: async (...args) => (await loadFiles()).content(...args),
    };
  }

  get auth(): AuthState {
    return this.#tokens.state;
  }

  readonly onAuthChange = (listener: () => void): (() => void) => this.#tokens.subscribe(listener);

  config(): Promise<EmbedConfig> {
    const { known } = this.#tokens;
    if (known) return Promise.resolve(known.config);
    this.#pendingConfig ??= retry(async () => (await this.#tokens.facts()).config, {
      ...this.#context,
      signal: this.#tokens.userSignal,
      // The caller can show a long wait to the user, who can try again.
      onWait: (error, delay) => {
        if (error && longWaitEnd(error, delay, this.#context.ports) !== null) throw error;
      },
    }).finally(() => {
      // A success is cached by the token manager (`known`), and a failure must not be cached.
      this.#pendingConfig = null;
    });
    return this.#pendingConfig;
  }

  reconnect(): Promise<void> {
    return this.#tokens.reconnect();
  }

  reset(): void {
    this.#tokens.reset();
  }

  conversation(sessionId: string | null = null): Conversation {
    if (this.#tokens.userSignal.aborted) throw closedError();
    return new SessionConversation({
      ...this.#context,
      drafts: this.#drafts,
      config: () => this.#tokens.known?.config ?? null,
      outbox: this.#outboxOf(sessionId),
    });
  }

  giveConsent(consent: GiveConsentRequest): Promise<Consent> {
    const { userSignal: signal } = this.#tokens;
    const { platform } = this.#context;
    const request = { method: 'POST', body: consent } as const;
    return retry(() => platform.call('/embed/consents', readConsent, request), {
      ...this.#context,
      signal,
    });
  }

  async forgetMe(): Promise<Forgotten> {
    const { userSignal } = this.#tokens;
    const { forgetMe } = await import('./tokens/user-data.ts').catch(throwNetworkError);
    return forgetMe(this.#context, userSignal);
  }

  async earlierVisitor(location: VisitorLocation): Promise<EarlierVisitor | null> {
    const { findEarlierVisitor } = await import('./tokens/user-data.ts').catch(throwNetworkError);
    return findEarlierVisitor(this.#context, location);
  }

  async unsent(): Promise<readonly (string | null)[]> {
    // Rejects while access is denied, because the user is unknown then.
    await this.config();
    await this.#drafts.loaded();
    return this.#drafts.unclaimed;
  }

  async diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    const { diagnose } = await import('./diagnose/diagnose.ts').catch(throwNetworkError);
    return diagnose(this.#context, options);
  }

  close(): void {
    this.#tokens.close();
    for (const outbox of this.#outboxes) outbox.end(closedError());
  }

  [disposeSymbol](): void {
    this.close();
  }

  /** Returns the outbox of a session. Each conversation without a session has its own. */
  #outboxOf(sessionId: string | null): Outbox {
    const open = [...this.#outboxes].find((each) => each.sessionId === sessionId);
    if (open && sessionId !== null) return open;
    const outbox: Outbox = new Outbox({
      ...this.#context,
      drafts: this.#drafts,
      sessionId,
      onEnd: () => this.#outboxes.delete(outbox),
    });
    this.#outboxes.add(outbox);
    return outbox;
  }

  /** Discards the state of the previous end user. */
  #wipe(): void {
    this.#pendingConfig = null;
    this.#drafts.forget();
    // Listeners may open other conversations meanwhile.
    for (const outbox of [...this.#outboxes]) outbox.end(subjectChanged(), true);
  }

  /** Requests the configuration with a token, and reads the token's properties from it. */
  async #describe(token: string, signal: AbortSignal): Promise<ConfigFacts> {
    const response = await sendRequest(
      this.#context.ports.fetch,
      `${this.#context.baseUrl}${agentPath}/embed/config`,
      { ...requestInit(token), signal },
      () => this.#tokens.serverNow,
    );
    const config = await readBody(response, readConfig);
    const serverTime = Date.parse(config.server_time);
    return {
      config,
      serverTime,
      lifetime: Date.parse(config.token.expires_at) - serverTime,
      subject: config.token.external_user_id,
    };
  }
}

/**
 * Creates the session functions of the end user.
 *
 * @param userSignal Returns a signal that is aborted when the user changes.
 */
function ownSessions(platform: AgentApi, userSignal: () => AbortSignal): Sessions {
  const callSession = (id: string, options?: CallOptions, action = '') =>
    platform.call(`${sessionPath(id)}${action}`, readSession, options);
  return {
    list: ({ signal, ...query } = {}) =>
      platform.call('/sessions', readSessionPage, { query, signal }),
    get: (id, signal) => callSession(id, { signal }),
    update: (id, body) => callSession(id, { method: 'POST', body }),
    archive: (id) => callSession(id, { method: 'POST', body: {} }, '/archive'),
    unarchive: (id) => callSession(id, { method: 'POST', body: {} }, '/unarchive'),
    export: async (id, format) => {
      const signal = userSignal();
      const response = await platform.send(`${sessionPath(id)}/export`, { query: { format } });
      return readBlob(response, signal);
    },
    delete: async (id) => {
      await platform.send(sessionPath(id), { method: 'DELETE' });
    },
  };
}

/** Calls a listener of diagnostics. Its exception causes no diagnostic, which would call it again. */
function callListener(call: () => void): void {
  try {
    call();
  } catch (error) {
    globalThis.reportError?.(error);
  }
}

function readBaseUrl(value: string): string {
  if (/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(value)) return value.replace(/\/+$/, '');
  throw new InlayError(
    'INVALID_OPTION',
    `baseUrl: it must be an address such as "https://chat.example", and not ${JSON.stringify(value)}.`,
  );
}
