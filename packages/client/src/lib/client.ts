import type { EmbedConfig } from '@inlay/protocol';
import type { AuthState } from './auth-state.ts';
import type { InlayClientOptions } from './client-options.ts';
import { SessionConversation } from './conversation/session-conversation.ts';
import type { DiagnosticListener } from './diagnostics.ts';
import { InlayError } from './errors.ts';
import { Platform } from './http/platform.ts';
import { readBody } from './http/read-body.ts';
import { agentPath, send } from './http/send.ts';
import type { Conversation, InlayClient, ListSessionsOptions, Sessions } from './inlay-client.ts';
import { browserPorts, type Ports } from './ports.ts';
import { fetchEventSourceTransport } from './stream/fetch-event-source.ts';
import type { StreamTransport } from './stream/transport.ts';
import { closedError } from './tokens/token-errors.ts';
import type { TokenFacts } from './tokens/token-facts.ts';
import { TokenManager } from './tokens/token-manager.ts';
import { untilDone } from './until-done.ts';
import { readConfig, readSession, readSessionPage } from './wire/answers.ts';

/** The way to an agent, for one page. Throws `INVALID_OPTION` for options that can't work. */
export function createInlayClient(options: InlayClientOptions): InlayClient {
  return new Client(options);
}

interface ConfigFacts extends TokenFacts {
  readonly config: EmbedConfig;
}

/** Older browsers do not have the symbol, and can't use it either. */
const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

class Client implements InlayClient {
  readonly sessions: Sessions;
  readonly #baseUrl: string;
  readonly #ports: Ports;
  readonly #tokens: TokenManager<ConfigFacts>;
  readonly #platform: Platform;
  readonly #transport: StreamTransport;
  readonly #diagnostic: DiagnosticListener;
  readonly #conversations = new Set<SessionConversation>();
  readonly #life = new AbortController();
  #config: Promise<EmbedConfig> | null = null;

  constructor(options: InlayClientOptions) {
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#ports = browserPorts(options.ports);
    this.#diagnostic = (diagnostic) => options.onDiagnostic?.(Object.freeze(diagnostic));
    this.#transport = options.transport ?? fetchEventSourceTransport;
    if (typeof options.tokens?.request !== 'function') {
      throw new InlayError(
        'INVALID_OPTION',
        'createInlayClient needs tokens: hostTokens(…), anonymousVisitor(…) or hostedCode().',
      );
    }
    this.#tokens = new TokenManager<ConfigFacts>({
      source: options.tokens,
      baseUrl: this.#baseUrl,
      ports: this.#ports,
      describe: (token, signal) => this.#describe(token, signal),
      onSubjectChange: () => this.#wipe(),
      onDiagnostic: this.#diagnostic,
    });
    this.#platform = new Platform({
      baseUrl: this.#baseUrl,
      ports: this.#ports,
      tokens: this.#tokens,
    });
    this.sessions = sessionsOf(this.#platform);
  }

  get auth(): AuthState {
    return this.#tokens.state;
  }

  onAuthChange(listener: () => void): () => void {
    return this.#tokens.subscribe(listener);
  }

  config(): Promise<EmbedConfig> {
    const tokens = this.#tokens;
    this.#config ??= untilDone(async () => (await tokens.facts()).config, {
      ports: this.#ports,
      tokens,
      signal: this.#life.signal,
      outlastDenial: false,
    }).finally(() => {
      // The token manager keeps what it learnt, and a failure must not stay.
      this.#config = null;
    });
    return this.#config;
  }

  reconnect(): Promise<void> {
    return this.#tokens.reconnect();
  }

  reset(): void {
    this.#tokens.reset();
  }

  conversation(sessionId?: string): Conversation {
    if (this.#life.signal.aborted) throw closedError();
    const conversation = new SessionConversation({
      ports: this.#ports,
      tokens: this.#tokens,
      platform: this.#platform,
      transport: this.#transport,
      onDiagnostic: this.#diagnostic,
      sessionId,
      onClose: () => this.#conversations.delete(conversation),
    });
    this.#conversations.add(conversation);
    return conversation;
  }

  close(): void {
    if (this.#life.signal.aborted) return;
    this.#life.abort(closedError());
    for (const conversation of [...this.#conversations]) conversation.close();
    this.#tokens.close();
  }

  [dispose](): void {
    this.close();
  }

  #wipe(): void {
    this.#config = null;
    for (const conversation of [...this.#conversations]) conversation.wipe();
  }

  async #describe(token: string, signal: AbortSignal): Promise<ConfigFacts> {
    const response = await send(this.#ports.fetch, `${this.#baseUrl}${agentPath}/embed/config`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      signal,
    });
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

function sessionsOf(platform: Platform): Sessions {
  const path = (id: string) => `/sessions/${encodeURIComponent(id)}`;
  return {
    list: ({ signal, ...query }: ListSessionsOptions = {}) =>
      platform.call('/sessions', readSessionPage, { query, ...(signal ? { signal } : {}) }),
    get: (id, signal) => platform.call(path(id), readSession, signal ? { signal } : {}),
    update: (id, body) => platform.call(path(id), readSession, { method: 'POST', body }),
    archive: (id) =>
      platform.call(`${path(id)}/archive`, readSession, { method: 'POST', body: {} }),
    delete: async (id) => {
      await platform.send(path(id), { method: 'DELETE' });
    },
  };
}

function readBaseUrl(value: string): string {
  try {
    if (/^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
  } catch {
    // Said below, for both faults.
  }
  throw new InlayError(
    'INVALID_OPTION',
    'createInlayClient needs baseUrl: the address of the platform, for example "https://chat.example".',
  );
}
