import { createInlayClient } from '../client.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { InlayClient, InlayClientOptions } from '../inlay-client.ts';
import type { Ports } from '../ports.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import { FakeChannels } from './fake-channels.ts';
import { FakeClock } from './fake-clock.ts';
import { FakePage } from './fake-page.ts';
import type { Faults } from './faults.ts';
import { Ids } from './platform/ids.ts';
import { ScriptedPlatform, type ScriptedPlatformOptions } from './platform/scripted-platform.ts';
import { seededRandom } from './seeded-random.ts';

/** Options of the client that replace those of the test bed. */
export type TestClientOptions = Partial<Omit<InlayClientOptions, 'baseUrl'>>;

export interface TestBedOptions extends Omit<ScriptedPlatformOptions, 'clock'> {
  /** The signed-in user, by the id that your backend would use. Default: `ada`. */
  readonly user?: string | null;
  /** Seconds until a token expires. Default: 600. */
  readonly ttlSeconds?: number;
  readonly client?: TestClientOptions;
}

/** A tab of the browser: a page with its client. */
export interface TestTab {
  readonly page: FakePage;
  readonly client: InlayClient;
  /** The ports of the client, for tests that create another client for this tab. */
  readonly ports: Ports;
}

/** Time between two paints of the fake page, in milliseconds. */
const frameInterval = 16;

/**
 * A scripted platform, a clock, a page and a client. Only the test advances time, and random numbers are
 * seeded, so that tests are deterministic.
 */
export class TestBed implements TestTab {
  readonly clock: FakeClock;
  readonly platform: ScriptedPlatform;
  readonly page: FakePage;
  readonly client: InlayClient;
  readonly ports: Ports;
  /** The diagnostics of all clients, oldest first. */
  readonly diagnostics: Diagnostic[] = [];
  /** The signed-in user; null for none. Read whenever a token is requested. */
  user: string | null;
  /** Number of calls of `getToken`. */
  getTokenCalls = 0;
  readonly #options: TestBedOptions;
  readonly #ids = new Ids();
  readonly #random: () => number;
  readonly #channels = new FakeChannels();
  readonly #tabs: TestTab[] = [];

  constructor(options: TestBedOptions = {}, clock = new FakeClock()) {
    this.#options = options;
    this.clock = clock;
    this.#random = seededRandom(options.seed);
    this.user = options.user === undefined ? 'ada' : options.user;
    this.platform = new ScriptedPlatform({ ...options, clock: this.clock.elsewhere });
    const { page, client, ports } = this.openTab();
    this.page = page;
    this.client = client;
    this.ports = ports;
  }

  /** Faults between the page and the platform. */
  get faults(): Faults {
    return this.platform.faults;
  }

  /** Opens another tab. Also used for a reload, after the client of the tab is closed. */
  openTab(options: TestClientOptions = {}): TestTab {
    const page = new FakePage();
    const merged = { ...this.#options.client, ...options };
    const ports: Ports = { ...this.#portsOf(page), ...merged.ports };
    const client = createInlayClient({
      tokens: hostTokens(() => this.#getToken()),
      draftStore: 'memory',
      ...merged,
      baseUrl: this.platform.baseUrl,
      onDiagnostic: (diagnostic) => {
        this.diagnostics.push(diagnostic);
        merged.onDiagnostic?.(diagnostic);
      },
      ports,
    });
    const tab = { page, client, ports };
    this.#tabs.push(tab);
    return tab;
  }

  /**
   * Advances time from timer to timer until a condition is true. Throws after `milliseconds` of fake
   * time (default: 60,000), or when no timer is left.
   */
  async until(condition: () => boolean, milliseconds = 60_000): Promise<void> {
    const { elsewhere } = this.clock;
    const end = elsewhere.mono() + milliseconds;
    await this.clock.settle();
    while (!condition()) {
      const { next } = this.clock;
      if (next === null)
        throw this.#createError('The condition can’t become true: No timer is pending.');
      if (elsewhere.mono() + next > end) {
        throw this.#createError(
          `The condition was not true within ${milliseconds} ms of fake time.`,
        );
      }
      await this.clock.advance(next);
    }
  }

  /** Goes offline: the browser reports it, and open connections break. */
  goOffline(): void {
    this.faults.goOffline();
    for (const { page } of this.#tabs) page.goOffline();
  }

  /** Goes online again. */
  goOnline(): void {
    this.faults.goOnline();
    for (const { page } of this.#tabs) page.goOnline();
  }

  /**
   * Lets the machine sleep for a time in milliseconds. Afterwards its connections are half-open, and the
   * page only receives a `focus` event.
   */
  async sleep(milliseconds: number): Promise<void> {
    this.faults.cutStreams({ silently: true });
    await this.clock.sleep(milliseconds);
    for (const { page } of this.#tabs) page.focus();
    await this.clock.settle();
  }

  /**
   * Closes the clients of all tabs. Throws if one of them leaves a timer, a listener of the page or a
   * channel.
   */
  async close(): Promise<void> {
    for (const { client } of this.#tabs) client.close();
    await this.clock.settle();
    const leftovers = {
      timers: this.clock.pending,
      listeners: this.#tabs.reduce((sum, { page }) => sum + page.watchers, 0),
      channels: this.#channels.size,
    };
    for (const [leftover, count] of Object.entries(leftovers)) {
      if (count > 0) throw new Error(`The closed client left ${count} ${leftover}.`);
    }
  }

  /** Returns an error that describes the state. */
  #createError(message: string): Error {
    const clients = this.#tabs.map(({ client, page }, index) => {
      const { status, error } = client.auth;
      const network = page.online() ? '' : ', offline';
      return `tab ${index + 1}: auth ${status}${error ? ` (${error.code})` : ''}${network}`;
    });
    const sessions = this.platform.sessions.map(({ id, running, readers, log }) => {
      const lastTypes = log.slice(-5).map(({ type }) => type);
      return `${id}: ${running ? 'running' : 'idle'}, ${readers} readers, … ${lastTypes.join(', ')}`;
    });
    const requests = this.platform.requests.slice(-5).map(({ name }) => name);
    const lines = [...clients, ...sessions, `last requests: ${requests.join(', ') || 'none'}`];
    return new Error([message, ...lines].join('\n  '));
  }

  #portsOf(page: FakePage): Ports {
    return {
      page,
      clock: this.clock,
      fetch: this.platform.fetch,
      sendForm: async ({ url, headers, body, signal, onProgress }) => {
        onProgress(0);
        const response = await this.platform.fetch(url, { method: 'POST', headers, body, signal });
        onProgress(1);
        return response;
      },
      random: this.#random,
      uniqueId: () => this.#ids.next('key_'),
      channel: this.#channels.channel,
      frame: (callback) => {
        const timer = this.clock.setTimeout(callback, frameInterval);
        return () => this.clock.clearTimeout(timer);
      },
    };
  }

  #getToken(): string | null {
    this.getTokenCalls += 1;
    if (this.user === null) return null;
    const { ttlSeconds } = this.#options;
    return this.platform.issue(this.user, ttlSeconds === undefined ? {} : { ttlSeconds }).token;
  }
}

/** Creates a test bed. Close it after the test. */
export function createTestBed(options: TestBedOptions = {}): TestBed {
  return new TestBed(options);
}
