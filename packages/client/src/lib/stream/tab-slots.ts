import type { Channel } from '../ports.ts';
import type { StreamContext } from './stream-context.ts';

/**
 * How many streams the tabs of one browser hold open to a platform. HTTP/1.1 has six connections
 * for each host; two stay free for everything else.
 */
const places = 4;

interface Claim {
  readonly id: string;
  readonly open: boolean;
}

export interface TabSlotsOptions extends Pick<StreamContext, 'ports' | 'way'> {
  /** What the tabs that share connections have in common. */
  readonly baseUrl: string;
  /** A place was lost, or may be had again. */
  readonly onChange: () => void;
}

/**
 * Shares the browser's few connections between the tabs of a site: the streams that were wanted last
 * have them. Tabs tell each other when a stream is wanted and when it is given up, and nothing else.
 */
export class TabSlots {
  readonly #id: string;
  readonly #channel: Channel | null;
  readonly #way: StreamContext['way'];
  readonly #onChange: () => void;
  /** Streams of other tabs that were wanted after this one. */
  readonly #newer = new Set<string>();

  constructor(options: TabSlotsOptions) {
    const { ports, baseUrl, way, onChange } = options;
    this.#id = ports.uniqueId();
    this.#way = way;
    this.#onChange = onChange;
    this.#channel = ports.channel(`inlay:${baseUrl}`, (message) => this.#hear(message));
  }

  /** Whether the places are taken by streams that were wanted later. */
  get taken(): boolean {
    // Where streams are held back, each has a question for the log beside it.
    return this.#newer.size >= (this.#way.buffered ? places / 2 : places);
  }

  /** The person looks at this tab, or does something in it. */
  claim(): void {
    this.#change(() => this.#newer.clear());
    this.#tell(true);
  }

  /** The stream is not wanted for the time being. */
  release(): void {
    this.#tell(false);
  }

  close(): void {
    this.release();
    this.#channel?.close();
  }

  #tell(open: boolean): void {
    this.#channel?.postMessage({ id: this.#id, open } satisfies Claim);
  }

  /** Anything may come: every script of the site can speak here. */
  #hear(message: unknown): void {
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
