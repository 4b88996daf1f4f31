import type { Channel } from '../ports.ts';
import type { StreamContext } from './stream-context.ts';

/**
 * Maximum number of streams that the tabs of one browser open to a platform. Browsers open at most six
 * HTTP/1.1 connections per host; two stay free for other requests.
 */
const slotCount = 4;

/** Message to the other tabs: a claim if `open`, otherwise a release. */
interface SlotMessage {
  readonly id: string;
  readonly open: boolean;
}

export interface TabSlotsOptions extends Pick<StreamContext, 'ports' | 'network'> {
  /** Tabs with the same address share the slots. */
  readonly baseUrl: string;
  /** Called when the slot is lost, or when a slot may be free again. */
  readonly onChange: () => void;
}

/**
 * Shares the browser's connections among the tabs of a site. The streams with the latest claims have
 * the slots. Tabs send only claims and releases over a `BroadcastChannel`.
 */
export class TabSlots {
  readonly #id: string;
  readonly #channel: Channel | null;
  readonly #network: StreamContext['network'];
  readonly #onChange: () => void;
  /** Ids of other tabs' streams with a later claim. */
  readonly #newer = new Set<string>();

  constructor(options: TabSlotsOptions) {
    const { ports, baseUrl, network, onChange } = options;
    this.#id = ports.uniqueId();
    this.#network = network;
    this.#onChange = onChange;
    this.#channel = ports.channel(`inlay:${baseUrl}`, (message) => this.#onMessage(message));
  }

  /** Whether newer streams have all slots. */
  get areTaken(): boolean {
    // Where a proxy buffers streams, each tab needs a second connection, to poll the log.
    return this.#newer.size >= (this.#network.buffersStreams ? slotCount / 2 : slotCount);
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
    this.#channel?.postMessage({ id: this.#id, open } satisfies SlotMessage);
  }

  /** Validates the message, because any script of the site can post to the channel. */
  #onMessage(message: unknown): void {
    const { id, open }: Partial<SlotMessage> = Object(message);
    if (typeof id !== 'string') return;
    this.#change(() => (open ? this.#newer.add(id) : this.#newer.delete(id)));
  }

  #change(change: () => void): void {
    const before = this.areTaken;
    change();
    if (this.areTaken !== before) this.#onChange();
  }
}
