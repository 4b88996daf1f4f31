import {
  type AuthState,
  anonymousVisitor,
  createInlayClient,
  type DiagnoseOptions,
  type DiagnosisReport,
  diagnoseSetup,
  fetchToken,
  type GetChallenge,
  type GetToken,
  hostTokens,
  type InlayClient,
  InlayError,
  isInlayError,
  type PageStoreKind,
  type VisitorStoreKind,
} from '@inlay/client';
import type { EmbedConfig } from '@inlay/protocol';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterPaint, nextTask } from '../after-paint.ts';
import { emit } from '../events.ts';
import { isAllowed, onAllowed } from '../options/allowed-origins.ts';
import { versionConflict } from '../register.ts';
import { DeveloperNote } from './developer-note.ts';

/** Time that the page has to set the options before they are reported as missing, in milliseconds. */
const setupTimeoutMs = 1000;

/** Options that the page sets, and from which the client is created. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly tokenUrl: string;
  readonly visitorStorage: VisitorStoreKind;
  readonly draftStorage: PageStoreKind;
  readonly getToken: GetToken | null;
  readonly getChallenge: GetChallenge | null;
  /** A client of the page, which the page closes. It replaces all other settings. */
  readonly client: InlayClient | null;
}

/** States in which access has ended, unless the user gets a new token. */
const endedStatuses: ReadonlySet<AuthState['status']> = new Set(['revoked', 'blocked', 'expired']);

/** Element that shows the chat. Its options are properties, and the public events fire on it. */
type ClientHost = ReactiveControllerHost &
  Element &
  ClientSettings & { readonly renderRoot: ParentNode };

/**
 * Called when the client was replaced or removed, or when the user changed. Content of the previous
 * client or user must not be rendered again.
 */
type ResetListener = (reason: 'client' | 'user') => void;

const unknownAuth: AuthState = {
  status: 'ok',
  error: null,
  canReconnect: false,
  externalUserId: null,
};

/**
 * Owns the client, the authentication state and the agent's settings. Creates the client once the
 * page has set the required options, replaces it when they change, and closes it when the element is
 * removed. An element that is only moved keeps its client.
 */
export class ClientController implements ReactiveController {
  readonly #host: ClientHost;
  readonly #onReset: ResetListener;
  /** Called when the settings were loaded or could not be loaded. */
  readonly #onSettled: () => void;
  /** Called when access has ended: nothing that was written for the user may change any more. */
  readonly #onDenied: () => void;
  #clientInputs: readonly unknown[] = [];
  #client: InlayClient | null = null;
  #unsubscribe: (() => void) | null = null;
  #auth = unknownAuth;
  #resetsAt: number | null = null;
  #config: EmbedConfig | null = null;
  #error: InlayError | null = null;
  #setupError: InlayError | null = null;
  #setupTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #developerNote: DeveloperNote;
  /** Resolves after the first paint; null from then on. */
  #start: Promise<void> | null = null;
  #started = false;
  /**
   * Increased by each request for the settings, and when the client or the user changes, so that a late
   * response to an earlier request is dropped.
   */
  #requestCount = 0;
  #loading = false;
  #unsubscribeOrigins: (() => void) | null = null;

  constructor(
    host: ClientHost,
    onReset: ResetListener,
    onSettled: () => void,
    onDenied: () => void,
  ) {
    this.#host = host;
    this.#onDenied = onDenied;
    this.#onReset = onReset;
    this.#onSettled = onSettled;
    this.#developerNote = new DeveloperNote(host);
    host.addController(this);
  }

  get client(): InlayClient | null {
    return this.#client;
  }

  get auth(): AuthState {
    return this.#auth;
  }

  /** When the exhausted daily quota resets, in milliseconds since the epoch; null if unknown. */
  get resetsAt(): number | null {
    return this.#resetsAt;
  }

  /** The agent's settings; null until they are loaded. */
  get config(): EmbedConfig | null {
    return this.#config;
  }

  /** Why the settings could not be loaded; null while they are loading and once they are loaded. */
  get error(): InlayError | null {
    return this.#error;
  }

  /**
   * The missing, invalid or blocked option, or a conflict of versions; null if there is none or the page may
   * still set the option.
   */
  get setupError(): InlayError | null {
    const conflict = versionConflict();
    return conflict ? new InlayError('VERSION_CONFLICT', conflict) : this.#setupError;
  }

  /**
   * Resolves when the first client can be created. Null before the first render, and after the promise
   * has resolved.
   */
  get start(): Promise<void> | null {
    return this.#start;
  }

  hostConnected() {
    this.#unsubscribeOrigins = onAllowed(() => this.#host.requestUpdate());
    this.#host.requestUpdate();
  }

  hostUpdate() {
    if (this.#started) this.#updateClient();
  }

  hostUpdated() {
    if (this.#started || this.#start !== null) return;
    // The composer is painted before the first request to the server.
    const composer = this.#host.renderRoot.querySelector('inlay-composer');
    this.#start = Promise.resolve(composer?.updateComplete)
      .then(afterPaint)
      .then(() => {
        this.#started = true;
        this.#start = null;
        this.#host.requestUpdate();
      });
  }

  hostDisconnected() {
    this.#unsubscribeOrigins?.();
    // Moving an element removes and inserts it within one task.
    setTimeout(() => {
      if (!this.#host.isConnected) this.#setClient(null, []);
    });
  }

  /** Loads the agent's settings. */
  load() {
    const client = this.#client;
    if (!client) return;
    this.#error = null;
    this.#loading = true;
    this.#host.requestUpdate();
    this.#requestCount += 1;
    const request = this.#requestCount;
    this.#developerNote.expectStart();
    client.config().then(
      (config) => {
        if (request !== this.#requestCount) return;
        this.#loading = false;
        this.#developerNote.clear();
        this.#config = config;
        const { agent, token } = config;
        emit(this.#host, 'inlay-ready', {
          agent: agent.name,
          externalUserId: token.external_user_id,
        });
        this.#onSettled();
        this.#host.requestUpdate();
      },
      (reason: unknown) => {
        if (request !== this.#requestCount) return;
        this.#loading = false;
        this.#error = inlayErrorOf(reason);
        this.#developerNote.clear();
        this.#emitError(this.#error);
        this.#onSettled();
        this.#host.requestUpdate();
      },
    );
  }

  /**
   * Diagnoses the setup. Missing and invalid options are reported too.
   *
   * @throws InlayError `INVALID_OPTION` if the element is not connected to a document.
   */
  async diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    // The client is created after the first paint, and only if the element is connected.
    if (this.#host.isConnected) await this.#host.updateComplete;
    if (this.#client) return this.#client.diagnose(options);
    const settings = this.#host;
    const error = this.#setupError ?? optionError(settings);
    if (error && this.#host.isConnected) return diagnoseSetup(settings.baseUrl, error, options);
    throw new InlayError(
      'INVALID_OPTION',
      'The chat is not on the page. Insert the element first.',
    );
  }

  #updateClient() {
    if (!this.#host.isConnected) return;
    const settings = this.#host;
    const { baseUrl, publishableKey, tokenUrl, visitorStorage, draftStorage, getToken, client } =
      settings;
    const inputs = [
      baseUrl,
      publishableKey,
      tokenUrl,
      visitorStorage,
      draftStorage,
      // A new `getToken` function is not a change: frameworks create one for each render, and set undefined
      // for none.
      Boolean(getToken),
      client,
      isAllowed(baseUrl) && isAllowed(tokenUrl),
    ];
    if (inputs.every((value, index) => value === this.#clientInputs[index])) return;

    this.#setupError = null;
    clearTimeout(this.#setupTimer);
    const invalid = client ? null : optionError(settings);
    if (invalid) {
      this.#setClient(null, inputs);
      this.#setupTimer = setTimeout(() => this.#fail(invalid), setupTimeoutMs);
      return;
    }
    try {
      this.#setClient(client ?? this.#create(settings), inputs);
    } catch (reason) {
      this.#setClient(null, inputs);
      this.#fail(inlayErrorOf(reason));
    }
  }

  #create(settings: ClientSettings) {
    const { baseUrl, publishableKey, tokenUrl, visitorStorage, draftStorage, getToken } = settings;
    const tokens = getToken
      ? hostTokens((...args) => {
          const latest = this.#host.getToken;
          return latest ? latest(...args) : null;
        })
      : tokenUrl
        ? hostTokens(this.#withReporting(fetchToken(tokenUrl)))
        : anonymousVisitor({
            publishableKey,
            store: visitorStorage,
            getChallenge: (challenge) => this.#host.getChallenge?.(challenge) ?? null,
          });
    return createInlayClient({
      baseUrl,
      tokens,
      draftStore: draftStorage,
      onDiagnostic: (diagnostic) => {
        if (diagnostic.type === 'send_refused') {
          this.#developerNote.reportText(
            `The platform refused a message (${diagnostic.code}, request ${diagnostic.requestId}).`,
          );
        }
        if (diagnostic.type === 'stream_buffered') {
          this.#developerNote.reportText('A proxy buffers streams, so that answers appear late.');
        }
        emit(this.#host, 'inlay-diagnostic', diagnostic);
      },
    });
  }

  /** Reports the first failure response of the token endpoint, although the request is retried. */
  #withReporting(getToken: GetToken): GetToken {
    return async (current) => {
      try {
        return await getToken(current);
      } catch (error) {
        // Without a status there was no response: the user's network may be the reason.
        const hasResponse = isInlayError(error) && error.status !== null;
        if (hasResponse && this.#auth.externalUserId === null) {
          this.#developerNote.report(error, endpointRemedy(error));
        }
        throw error;
      }
    };
  }

  #setClient(client: InlayClient | null, inputs: readonly unknown[]) {
    const isPageClient = this.#clientInputs.includes(this.#client);
    this.#clientInputs = inputs;
    if (client === this.#client) return;

    this.#unsubscribe?.();
    this.#unsubscribe = null;
    if (!isPageClient) this.#client?.close();
    this.#requestCount += 1;
    this.#client = client;
    this.#auth = client?.auth ?? unknownAuth;
    this.#resetsAt = quotaResetTime(this.#auth);
    this.#config = null;
    this.#error = null;
    clearTimeout(this.#setupTimer);
    this.#developerNote.clear();
    this.#onReset('client');
    if (!client) return;
    this.#unsubscribe = client.onAuthChange(() => this.#handleAuth(client));
    const request = this.#requestCount;
    // The settings are loaded in a new task, because creating the client already takes long.
    void nextTask().then(() => {
      if (request === this.#requestCount) this.load();
    });
  }

  #handleAuth(client: InlayClient) {
    const before = this.#auth;
    this.#auth = client.auth;
    if (before.externalUserId !== null && before.externalUserId !== this.#auth.externalUserId) {
      this.#config = null;
      this.#loading = false;
      this.#requestCount += 1;
      this.#onReset('user');
    }
    if (before.status !== this.#auth.status) {
      if (endedStatuses.has(this.#auth.status)) this.#onDenied();
      this.#resetsAt = quotaResetTime(this.#auth);
      emit(this.#host, 'inlay-auth-change', { status: this.#auth.status });
    }
    const { status, error, externalUserId } = this.#auth;
    if (error && status === 'origin_denied') this.#developerNote.report(error);
    // Without a first token, the developer of the page has to solve the problem.
    if (error && error !== before.error && status === 'expired' && externalUserId === null) {
      this.#developerNote.report(error);
      this.#emitError(error);
    }
    if (this.#auth.status === 'ok' && !this.#config && !this.#loading) this.load();
    this.#host.requestUpdate();
  }

  #emitError({ code, message }: InlayError) {
    emit(this.#host, 'inlay-error', { code, message });
  }

  #fail(error: InlayError) {
    if (!this.#host.isConnected) return;
    this.#setupError = error;
    this.#developerNote.report(error);
    this.#emitError(error);
    this.#host.requestUpdate();
  }
}

/** The remedy for a bad response of the token endpoint, for the developer of the page. */
function endpointRemedy({ code, status }: InlayError): string {
  if (code === 'INVALID_TOKEN_FROM_HOST') {
    return 'It has to answer { token, expires_at } as JSON, for example with createTokenEndpoint of @inlay/node.';
  }
  if (status === 404 || status === 405) {
    return 'Set token-url to the address of your token endpoint, which answers POST requests.';
  }
  return status !== null && status >= 500 ? 'Look at the log of your backend.' : '';
}

/** The error of options that the page may still set or allow; null for none. */
function optionError({
  baseUrl,
  publishableKey,
  tokenUrl,
  getToken,
}: ClientSettings): InlayError | null {
  if (!baseUrl) {
    return new InlayError(
      'INVALID_OPTION',
      'base-url is missing. Set it to the address of your Inlay server, for example base-url="https://chat.example".',
    );
  }
  if (!getToken && !tokenUrl && !publishableKey) {
    return new InlayError(
      'INVALID_OPTION',
      'None of token-url, getToken and publishable-key is set. Set token-url to your backend’s token endpoint, or the property getToken to a function that fetches a token, or publishable-key to a key of the agent.',
    );
  }
  return (
    blockedError('base-url', baseUrl) ?? (getToken ? null : blockedError('token-url', tokenUrl))
  );
}

/** The error of an attribute with an origin that no script has allowed. */
function blockedError(attribute: 'base-url' | 'token-url', address: string): InlayError | null {
  if (isAllowed(address)) return null;
  const { origin } = new URL(address, globalThis.origin);
  const property = attribute === 'base-url' ? 'baseUrl' : 'tokenUrl';
  return new InlayError(
    'INVALID_OPTION',
    `${attribute}: no script has allowed ${origin}, and injected HTML could contain the attribute. If it is yours, call allowOrigins("${origin}") of @inlay/elements, or set the property ${property} from a script.`,
  );
}

/**
 * Reset time of an exhausted daily quota, from the error or else the next midnight UTC; null if no
 * quota is exhausted.
 */
function quotaResetTime({ status, error }: AuthState): number | null {
  if (status !== 'over_budget' || error?.code !== 'EMBED_QUOTA_EXCEEDED') return null;
  const now = Date.now();
  return error.retryAfterMs === null
    ? new Date(now).setUTCHours(24, 0, 0, 0)
    : now + error.retryAfterMs;
}

/** Converts any thrown value into an `InlayError`. A value that is none is a defect, and is reported. */
export function inlayErrorOf(cause: unknown): InlayError {
  if (isInlayError(cause)) return cause;
  reportError(cause);
  return new InlayError('UNEXPECTED_ERROR', 'The chat failed.', { cause });
}
