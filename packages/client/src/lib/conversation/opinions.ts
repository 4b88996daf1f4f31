import type { FeedbackRequest } from '@inlay/protocol';
import { abortError } from '../wait.ts';
import type { RatingContext } from './ratings.ts';

/** What the person thinks of answers. Answers come first: the code is loaded when it is needed. */
export class Opinions {
  readonly #context: RatingContext;

  constructor(context: RatingContext) {
    this.#context = context;
  }

  async rate(opinion: FeedbackRequest): Promise<void> {
    const { rate } = await this.#code();
    await rate(this.#context, opinion);
  }

  /** Learns what the person thought before this page load. */
  async learn(): Promise<void> {
    const { learnRatings } = await this.#code();
    await learnRatings(this.#context);
  }

  async #code(): Promise<typeof import('./ratings.ts')> {
    const code = await import('./ratings.ts');
    const { signal } = this.#context;
    if (signal.aborted) throw abortError(signal);
    return code;
  }
}
