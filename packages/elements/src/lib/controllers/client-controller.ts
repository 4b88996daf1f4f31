import {
  type AuthState,
  anonymousVisitor,
  createInlayClient,
  type DiagnoseOptions,
  type DiagnosisReport,
  type Diagnostic,
  diagnoseSetup,
  fetchToken,
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
import { afterPaint, nextTask } from './after-paint.ts';
import { DeveloperNote } from './developer-note.ts';

/** How long a page may take to set its options after the element is there, in milliseconds. */
const setupPatience = 1000;

/** What a page gives an element to reach the platform with. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly tokenUrl: string;
  readonly visitorStorage: VisitorStoreKind;
  readonly draftStorage: PageStoreKind;
  readonly getToken: GetToken | null;
  /** A client of the page's own, which the page closes. The other settings then mean nothing. */
  readonly client: InlayClient | null;
}

export interface ClientControllerOptions {
  readonly settings: () => ClientSettings;
  /** Resolves once there is something to see of where the person writes. */
  readonly drawn: () => Promise<unknown>;
  /** Another client is at hand, or none. What belonged to the former one must go. */
  readonly onClientChange: () => void;
  /** Another person speaks now. Nothing of the former one may be painted again. */
  readonly onUserChange: () => void;
  readonly onAuthChange: (auth: AuthState) => void;
  readonly onConfig: (config: EmbedConfig) => void;
  readonly onError: (error: InlayError) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

const unknown: AuthState = {
  status: 'ok',
  error: null,
  canReconnect: false,
  externalUserId: null,
};

/**
 * Brings the client, who may talk, and the agent's settings. It makes the client when the page has
 * said enough, makes another when the page says something else, and closes it when the element is
 * gone for good: an element that is only moved keeps it.
 */
export class ClientController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: ClientControllerOptions;
  #made: readonly unknown[] = [];
  #client: InlayClient | null = null;
  #unsubscribe: (() => void) | null = null;
  #auth = unknown;
  #config: EmbedConfig | null = null;
  #error: InlayError | null = null;
  #setupError: InlayError | null = null;
  #patience: ReturnType<typeof setTimeout> | undefined;
  readonly #note: DeveloperNote;
  /** Ends when there was something to see; null from then on. */
  #start: Promise<void> | null = null;
  #started = false;
  /** Counts the questions for the settings, so that a late answer is dropped. */
  #question = 0;
  #asking = false;

  constructor(host: ReactiveControllerHost & Element, options: ClientControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.#note = new DeveloperNote(host);
    host.addController(this);
  }

  get client(): InlayClient | null {
    return this.#client;
  }

  get auth(): AuthState {
    return this.#auth;
  }

  /** The agent's settings; null until they are there. */
  get config(): EmbedConfig | null {
    return this.#config;
  }

  /** Why the settings could not be had; null while they may still come. */
  get error(): InlayError | null {
    return this.#error;
  }

  /** What the page forgot or got wrong; null while it may still come. */
  get setupError(): InlayError | null {
    return this.#setupError;
  }

  /** What the first client waits for; null where it can be made. */
  get start(): Promise<void> | null {
    return this.#start;
  }

  hostConnected() {
    this.#host.requestUpdate();
  }

  hostUpdate() {
    if (this.#started) this.#make();
  }

  hostUpdated() {
    if (this.#started || this.#start !== null) return;
    // A person sees where to write before anything is asked of the platform.
    this.#start = this.#options
      .drawn()
      .then(afterPaint)
      .then(() => {
        this.#started = true;
        this.#start = null;
        this.#host.requestUpdate();
      });
  }

  hostDisconnected() {
    // A move is a removal and an insertion within one task.
    setTimeout(() => {
      if (!this.#host.isConnected) this.#use(null, []);
    });
  }

  /** Asks for the agent's settings again. */
  load() {
    const client = this.#client;
    if (!client) return;
    this.#error = null;
    this.#asking = true;
    this.#host.requestUpdate();
    this.#question += 1;
    const question = this.#question;
    this.#note.expectStart();
    client.config().then(
      (config) => {
        if (question !== this.#question) return;
        this.#asking = false;
        this.#note.clear();
        this.#config = config;
        this.#options.onConfig(config);
        this.#host.requestUpdate();
      },
      (reason: unknown) => {
        if (question !== this.#question) return;
        this.#asking = false;
        this.#error = inlayErrorOf(reason);
        this.#note.clear();
        this.#options.onError(this.#error);
        this.#host.requestUpdate();
      },
    );
  }

  /**
   * Looks for what keeps the chat from working. Options that are missing or wrong are reported too.
   *
   * @throws InlayError `INVALID_OPTION` where the element is not on a page.
   */
  async diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    // The client is made after the first paint. An element that is on no page has none.
    if (this.#host.isConnected) await this.#host.updateComplete;
    if (this.#client) return this.#client.diagnose(options);
    const settings = this.#options.settings();
    const error = this.#setupError ?? missingIn(settings);
    if (error && this.#host.isConnected) return diagnoseSetup(settings.baseUrl, error, options);
    throw new InlayError(
      'INVALID_OPTION',
      'The chat is not on the page. Insert the element first.',
    );
  }

  #make() {
    if (!this.#host.isConnected) return;
    const settings = this.#options.settings();
    const { baseUrl, publishableKey, tokenUrl, visitorStorage, draftStorage, getToken, client } =
      settings;
    // A new function is no new setting: frameworks make one at each render.
    const given = getToken !== null;
    const made = [baseUrl, publishableKey, tokenUrl, visitorStorage, draftStorage, given, client];
    if (made.every((value, index) => value === this.#made[index])) return;

    this.#setupError = null;
    clearTimeout(this.#patience);
    const missing = client ? null : missingIn(settings);
    if (missing) {
      this.#use(null, made);
      this.#patience = setTimeout(() => this.#fail(missing), setupPatience);
      return;
    }
    try {
      this.#use(client ?? this.#create(settings), made);
    } catch (reason) {
      this.#use(null, made);
      this.#fail(inlayErrorOf(reason));
    }
  }

  #create(settings: ClientSettings) {
    const { baseUrl, publishableKey, tokenUrl, visitorStorage, draftStorage, getToken } = settings;
    const tokens = getToken
      ? hostTokens((...args) => {
          const latest = this.#options.settings().getToken;
          return latest ? latest(...args) : null;
        })
      : tokenUrl
        ? hostTokens(this.#reported(fetchToken(tokenUrl)))
        : anonymousVisitor({ publishableKey, store: visitorStorage });
    const { onDiagnostic } = this.#options;
    return createInlayClient({ baseUrl, tokens, draftStore: draftStorage, onDiagnostic });
  }

  /** Reports the first answer of a token endpoint that holds no token, while retries go on. */
  #reported(getToken: GetToken): GetToken {
    return async (current) => {
      try {
        return await getToken(current);
      } catch (error) {
        // Without a status there was no answer: the network of the person may be the reason.
        const isAnswer = isInlayError(error) && error.status !== null;
        if (isAnswer && this.#auth.externalUserId === null) {
          this.#note.tell(error, endpointRemedy(error));
        }
        throw error;
      }
    };
  }

  #use(client: InlayClient | null, made: readonly unknown[]) {
    const borrowed = this.#made.includes(this.#client);
    this.#made = made;
    if (client === this.#client) return;

    this.#unsubscribe?.();
    this.#unsubscribe = null;
    if (!borrowed) this.#client?.close();
    this.#question += 1;
    this.#client = client;
    this.#auth = client?.auth ?? unknown;
    this.#config = null;
    this.#error = null;
    clearTimeout(this.#patience);
    this.#note.clear();
    this.#options.onClientChange();
    if (!client) return;
    this.#unsubscribe = client.onAuthChange(() => this.#handleAuth(client));
    const question = this.#question;
    // To make the client has taken a task already.
    void nextTask().then(() => {
      if (question === this.#question) this.load();
    });
  }

  #handleAuth(client: InlayClient) {
    const before = this.#auth;
    this.#auth = client.auth;
    if (before.externalUserId !== null && before.externalUserId !== this.#auth.externalUserId) {
      this.#config = null;
      this.#asking = false;
      this.#question += 1;
      this.#options.onUserChange();
    }
    if (before.status !== this.#auth.status) this.#options.onAuthChange(this.#auth);
    const { status, error, externalUserId } = this.#auth;
    // There was no first token: what stands in the way is for the owner of the page to know.
    if (error && error !== before.error && status === 'expired' && externalUserId === null) {
      this.#note.tell(error);
      this.#options.onError(error);
    }
    if (this.#auth.status === 'ok' && !this.#config && !this.#asking) this.load();
    this.#host.requestUpdate();
  }

  #fail(error: InlayError) {
    if (!this.#host.isConnected) return;
    this.#setupError = error;
    this.#note.tell(error);
    this.#options.onError(error);
    this.#host.requestUpdate();
  }
}

/** The remedy for an answer of the token endpoint, for the developer of the page. */
function endpointRemedy({ code, status }: InlayError): string {
  if (code === 'INVALID_TOKEN_FROM_HOST') {
    return 'It has to answer { token, expires_at } as JSON, for example with createTokenEndpoint of @inlay/node.';
  }
  if (status === 404 || status === 405) {
    return 'Set token-url to the address of your token endpoint, which answers POST requests.';
  }
  return status !== null && status >= 500 ? 'Look at the log of your backend.' : '';
}

function missingIn({
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
  return null;
}

/** Whatever was thrown, as the one error that the elements speak of. */
export function inlayErrorOf(reason: unknown): InlayError {
  if (isInlayError(reason)) return reason;
  return new InlayError('UNEXPECTED_RESPONSE', 'Something failed that should not have.', {
    cause: reason,
  });
}
