import type { Citation, LogEvent } from '@inlay/protocol';
import type { ModelEvent } from '../agent-models/model.ts';
import type { Limits } from '../config/limits.ts';

type CitationEvent = Extract<ModelEvent, { type: 'citation' }>;

/**
 * Collects the citations of a model response, up to `limits.run.citations` and
 * `limits.run.citation_bytes`. The indices of the model are relative to the start of the response.
 * Because thinking may split a response into several messages, `take` converts the indices to
 * indices into one message.
 */
export class Citations {
  readonly #limits: Limits['run'];
  #pending: CitationEvent[] = [];
  #count = 0;
  #bytes = 0;
  /** Number of characters of the previous messages. */
  #offset = 0;

  constructor(limits: Limits['run']) {
    this.#limits = limits;
  }

  add(citation: CitationEvent): void {
    if (this.#count === this.#limits.citations) return;
    this.#count += 1;
    this.#pending.push(citation);
  }

  /** The citations since the last message, with indices into `text`. */
  take(text: string): Citation[] {
    const citations = this.#pending
      .map((event) => toCitation(event, this.#offset, text.length))
      .filter((citation) => {
        this.#bytes += Buffer.byteLength(JSON.stringify(citation));
        return this.#bytes <= this.#limits.citation_bytes;
      });
    this.#pending = [];
    this.#offset += text.length;
    return citations;
  }
}

function toCitation(
  { title, url, snippet, endIndex }: CitationEvent,
  offset: number,
  length: number,
): Citation {
  return {
    title: (title.trim() || url || 'Source').slice(0, 300),
    // Only `http` and `https` links, which cannot run scripts.
    url: url && url.length <= 2048 && /^https?:\/\//i.test(url) ? url : null,
    snippet: snippet?.slice(0, 1000) ?? null,
    end_index: endIndex === null ? null : Math.min(Math.max(endIndex - offset, 0), length),
  };
}

/**
 * Sources of the server tools' results that no answer has cited yet. A message that comes with calls is no
 * answer. A run that has ended leaves none, unless it waits for the user or the host page.
 */
export function toolCitations(log: readonly LogEvent[]): Citation[] {
  let citations: Citation[] = [];
  let hasAnswer = false;
  for (const event of log) {
    switch (event.type) {
      case 'agent.tool_result':
        for (const block of event.content ?? []) {
          if (Array.isArray(block.citations)) citations.push(...(block.citations as Citation[]));
        }
        break;
      case 'agent.message':
        hasAnswer = true;
        break;
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
        hasAnswer = false;
        break;
      case 'span.model_request_start':
        if (hasAnswer) citations = [];
        hasAnswer = false;
        break;
      case 'session.status_idle':
        if (event.stop_reason.type !== 'requires_action') citations = [];
    }
  }
  return citations;
}
