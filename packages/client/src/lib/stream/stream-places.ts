import type { Channel, Ports } from '../ports.ts';

/**
 * How many streams the tabs of one browser hold open to a platform. HTTP/1.1 has six connections
 * for each host; two stay free for everything else.
 */
const places = 4;

interface Claim {
  readonly id: string;
  readonly open: boolean;
}

/**
 * Shares the browser's few connections between the tabs of a site: the streams that were wanted last
 * have them. Tabs tell each other when a stream is wanted and when it is given up, and nothing else.
 */
export class StreamPlaces {
  readonly #id: string;
  readonly #channel: Channel | null;
  readonly #onChange: () => void;
  /** Streams of other tabs that were wanted after this one. */
  readonly #newer = new Set<string>();

  /** `onChange` is called when a place was lost, or may be had again. */
  constructor(ports: Ports, baseUrl: string, onChange: () => void) {
    this.#id = ports.uniqueId();
    this.#onChange = onChange;
    this.#channel = ports.channel(`inlay:${baseUrl}`, (message) => this.#hear(message as Claim));
  }

  /** Whether the places are taken by streams that were wanted later. */
  get taken(): boolean {
    return this.#newer.size >= places;
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

  #hear({ id, open }: Claim): void {
    this.#change(() => (open ? this.#newer.add(id) : this.#newer.delete(id)));
  }

  #change(change: () => void): void {
    const before = this.taken;
    change();
    if (this.taken !== before) this.#onChange();
  }
}
