import type { Channel } from '../ports.ts';
import type { StreamContext } from './stream-context.ts';

/**
 * Number of streams that the tabs of one browser open to a platform. HTTP/1.1 allows six connections
 * per host; two stay free for other requests.
 */
const slots = 4;

interface Claim {
  readonly id: string;
  readonly open: boolean;
}

export interface TabSlotsOptions extends Pick<StreamContext, 'ports' | 'network'> {
  /** Tabs with the same address share the slots. */
  readonly baseUrl: string;
  /** Called when the slot was lost or may be free again. */
  readonly onChange: () => void;
}

/**
 * Shares the browser's connections among the tabs of a site: the streams that were claimed last have
 * them. Tabs exchange claims and releases over a `BroadcastChannel`, and nothing else.
 */
export class TabSlots {
  readonly #id: string;
  readonly #channel: Channel | null;
  readonly #network: StreamContext['network'];
  readonly #onChange: () => void;
  /** Ids of other tabs' streams that were claimed after this one. */
  readonly #newer = new Set<string>();

  constructor(options: TabSlotsOptions) {
    const { ports, baseUrl, network, onChange } = options;
    this.#id = ports.uniqueId();
    this.#network = network;
    this.#onChange = onChange;
    this.#channel = ports.channel(`inlay:${baseUrl}`, (message) => this.#onMessage(message));
  }

  /** Whether newer streams have all slots. */
  get taken(): boolean {
    // Where a proxy buffers streams, each one has a poll of the log beside it.
    return this.#newer.size >= (this.#network.buffersStreams ? slots / 2 : slots);
  }

  /** Claims a slot, because the user is active in this tab. */
  claim(): void {
    this.#change(() => this.#newer.clear());
    this.#announce(true);
  }

  /** Gives the slot to other tabs. */
  release(): void {
    this.#announce(false);
  }

  close(): void {
    this.release();
    this.#channel?.close();
  }

  #announce(open: boolean): void {
    this.#channel?.postMessage({ id: this.#id, open } satisfies Claim);
  }

  /** Validates the message, because any script of the site can post to the channel. */
  #onMessage(message: unknown): void {
    const { id, open }: Partial<Claim> = Object(message);
    if (typeof id !== 'string') return;
    this.#change(() => (open ? this.#newer.add(id) : this.#newer.delete(id)));
  }

  #change(change: () => void): void {
    const before = this.taken;
    change();
    if (this.taken !== before) this.#onChange();
  }
}
