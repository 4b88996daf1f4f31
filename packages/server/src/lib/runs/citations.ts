import type { Citation } from '@inlay/protocol';
import type { ModelEvent } from '../models/model.ts';

/** Sources of one answer that are kept. */
const mostCitations = 100;
/** Bytes of them all as JSON: they go into the same event as the text. */
const mostBytes = 131_072;

type Cited = Extract<ModelEvent, { type: 'citation' }>;

/**
 * The sources that a model names while it answers. It counts places through its whole answer, which
 * thinking may part into several messages; each message gets its own, counted from its beginning.
 */
export class Citations {
  #waiting: Cited[] = [];
  #kept = 0;
  #bytes = 0;
  /** Characters of the messages that have theirs already. */
  #before = 0;

  add(citation: Cited): void {
    if (this.#kept === mostCitations) return;
    this.#kept += 1;
    this.#waiting.push(citation);
  }

  /** Those that came since the last message, for the one whose text this is. */
  take(text: string): Citation[] {
    const taken = this.#waiting
      .map((cited) => toCitation(cited, this.#before, text.length))
      .filter((citation) => {
        this.#bytes += Buffer.byteLength(JSON.stringify(citation));
        return this.#bytes <= mostBytes;
      });
    this.#waiting = [];
    this.#before += text.length;
    return taken;
  }
}

function toCitation(
  { title, url, snippet, endIndex }: Cited,
  before: number,
  length: number,
): Citation {
  return {
    title: (title.trim() || url || 'Source').slice(0, 300),
    // A link may only lead to where a browser goes without running anything.
    url: url && url.length <= 2048 && /^https?:\/\//i.test(url) ? url : null,
    snippet: snippet?.slice(0, 1000) ?? null,
    end_index: endIndex === null ? null : Math.min(Math.max(endIndex - before, 0), length),
  };
}
