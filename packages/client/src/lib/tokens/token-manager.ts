import type { AuthState } from '../auth-state.ts';
import { asInlayError, InlayError, isInlayError, subjectChanged } from '../errors.ts';
import { isBarred } from './auth-status.ts';
import { AuthView } from './auth-view.ts';
import type { HeldToken } from './held-token.ts';
import { RefreshSchedule } from './refresh-schedule.ts';
import { Refresher } from './refresher.ts';
import { closedError } from './token-errors.ts';
import type { TokenFacts, TokenManagerOptions } from './token-facts.ts';
import { TokenInquiry } from './token-inquiry.ts';

/** The code of a token that has run out. */
const expired = 'EMBED_TOKEN_EXPIRED';
/** A token that was good for so long had not run out when it came, in milliseconds. */
const lastsAWhile = 60_000;

/**
 * Owns when a token is fetched: the first time, ahead of its end, after a refusal, after sleep.
 * Any number of callers share one question to the source. The token lives in a private field of
 * this object and nowhere else.
 *
 * A first token is given out at once, and the platform is asked about it meanwhile. Every later one
 * is given out only when the platform has said whose it is, so that nothing of one person is ever
 * sent in the name of another.
 */
export class TokenManager<Facts extends TokenFacts = TokenFacts> {
  readonly #options: TokenManagerOptions<Facts>;
  readonly #auth: AuthView;
  readonly #inquiry: TokenInquiry<Facts>;
  readonly #refresher: Refresher;
  readonly #schedule: RefreshSchedule;
  /** Aborted when the person changes, or at the end: late results belong to nobody. */
  #life = new AbortController();
  #held: HeldToken | null = null;
  #refused: string | null = null;
  /** Whether a token of this person was given out. */
  #served = false;
  #facts: Facts | null = null;
  #describing: Promise<Facts> | null = null;

  constructor(options: TokenManagerOptions<Facts>) {
    this.#options = options;
    this.#inquiry = new TokenInquiry(options);
    this.#refresher = new Refresher({
      ...options,
      obtain: (life) => this.#obtain(life),
      degraded: () => this.#usable !== null,
      onEnd: (error) => this.#end(error),
      onChange: () => this.#schedule.look(),
    });
    this.#auth = new AuthView(options, () => ({
      good: this.#usable !== null || !(this.#served || this.#refresher.running),
      gaveUp: this.#refresher.gaveUp,
      externalUserId: this.#facts?.subject ?? null,
    }));
    this.#schedule = new RefreshSchedule(options.ports, (signal) => {
      if (signal === 'online' || signal === 'restored') this.#refresher.reached();
      const due = this.#check();
      this.#auth.show();
      return due;
    });
  }

  get state(): AuthState {
    return this.#auth.state;
  }

  /** Called when `state` changed. Returns the undo. */
  subscribe(listener: () => void): () => void {
    return this.#auth.listeners.add(listener);
  }

  /** Aborted when everything that was asked so far belongs to a former person, or at the end. */
  get life(): AbortSignal {
    return this.#life.signal;
  }

  /** The platform's clock, in milliseconds since the epoch; null before it has told the time. */
  get serverNow(): number | null {
    return this.#inquiry.serverNow;
  }

  /** Requests a token now if a retry is pending. */
  retryNow(): void {
    this.#refresher.retryNow();
  }

  /** Why there is no token yet, while one is tried for; null where nothing has failed. */
  get failure(): InlayError | null {
    return this.#refresher.failure;
  }

  /** Whether the person may not talk until they ask to reconnect. */
  get ended(): boolean {
    return this.#auth.denial !== null;
  }

  /**
   * A token that is not known to be spent. Rejects with `TOKEN_UNAVAILABLE` when none could be had
   * within 15 seconds, and with what ended the matter when it is ended.
   */
  async get(signal?: AbortSignal): Promise<string> {
    this.#inquiry.assertNotAsking();
    this.#assertUsable();
    const held = this.#usable;
    if (!held) return this.#refresher.token(this.life, signal);
    if (held.untilRefresh === 0) void this.#refresher.begin(this.life);
    return held.value;
  }

  /** What the platform said about the token; null before. */
  get known(): Facts | null {
    return this.#facts;
  }

  /** What the platform says about the token: asked once for each token. */
  async facts(): Promise<Facts> {
    if (this.#facts) return this.#facts;
    await this.get();
    const held = this.#held;
    return this.#facts ?? (held ? this.#describe(held) : this.facts());
  }

  /**
   * A token in place of one that the platform refused with 401. Only the first refusal of a token
   * leads to a question to the source; a second revocation within a minute ends the matter.
   */
  async replace(refused: string, error: InlayError, signal?: AbortSignal): Promise<string> {
    this.#assertUsable();
    if (this.#held?.value !== refused) return this.get(signal);
    this.#drop(this.#held, error);
    const revoked = error.code === 'EMBED_TOKEN_REVOKED';
    const again = revoked && this.#auth.revoke();
    if (again || isBarred(error.code) || !this.#options.source.renewable) throw this.#end(error);
    if (revoked) this.#refresher.bypass();
    return this.#refresher.token(this.life, signal, revoked);
  }

  /**
   * The platform's no to a token that took a refused one's place: ends the matter, unless the token
   * had merely run out. Then the next one is asked for, ever more slowly.
   */
  refuse(token: string, error: InlayError): void {
    const held = this.#held;
    if (held?.value !== token || this.ended) return;
    if (error.code === expired && this.#options.source.renewable) this.#drop(held, error);
    else this.#end(error);
  }

  /** A budget or quota is spent (the error), or there is room again (null). */
  limit(error: InlayError | null): void {
    this.#auth.limit(error);
  }

  /** Asks the source once more, because the person wants it: no cool-down holds it back. */
  async reconnect(): Promise<void> {
    if (this.life.aborted) throw closedError();
    const { denial, state } = this.#auth;
    if (denial && !this.#options.source.renewable) throw denial;
    if (!denial && state.status !== 'over_budget' && this.#usable) return;
    this.#auth.admit();
    this.#refresher.bypass();
    this.#held = null;
    try {
      // A source that gives one token only is not given up after one failure: nothing could follow.
      await this.#refresher.token(this.life, undefined, this.#options.source.renewable);
    } catch (error) {
      // A new person has a token too, which is all that was asked for.
      if (!(isInlayError(error) && error.code === 'SUBJECT_CHANGED' && this.#held)) throw error;
    }
  }

  /** Another person uses the page: forgets everything. Callers that wait get `SUBJECT_CHANGED`. */
  reset(): void {
    if (this.life.aborted) return;
    this.#forget();
    this.#served = false;
    this.#auth.admit();
    this.#refresher.bypass();
    this.#changeSubject();
    this.#auth.show();
  }

  close(): void {
    if (this.life.aborted) return;
    this.#auth.listeners.clear();
    this.#schedule.close();
    this.#forget();
    this.#life.abort(closedError());
  }

  get #usable(): HeldToken | null {
    return this.#held && !this.#held.expired ? this.#held : null;
  }

  /** Forgets a token that the platform refused. */
  #drop(held: HeldToken, error: InlayError): void {
    this.#held = null;
    this.#refused = held.value;
    if (error.code !== expired) return;
    if (held.age >= lastsAWhile) this.#refresher.held();
    this.#refresher.spent(error);
  }

  #assertUsable(): void {
    const error = this.life.aborted ? closedError() : this.#auth.denial;
    if (error) throw error;
  }

  #forget(): void {
    this.#held = null;
    this.#refused = null;
    this.#facts = null;
  }

  #changeSubject(): void {
    this.#describing = null;
    this.#refresher.drop();
    const former = this.#life;
    this.#life = new AbortController();
    former.abort(subjectChanged());
    this.#options.onSubjectChange?.();
  }

  #end(error: InlayError): InlayError {
    this.#held = null;
    this.#auth.end(error);
    return error;
  }

  /** Gets one token, and gives it out if it is good. */
  async #obtain(life: AbortSignal): Promise<string> {
    const held = await this.#inquiry.ask(this.#held?.value ?? this.#refused, this.#refused, life);
    if (this.#served) this.#adopt(held, await this.#inquiry.describe(held, life));
    else this.#held = held;
    this.#refused = null;
    this.#served = true;
    return held.value;
  }

  /** From here on the token speaks: it takes the former one's place before others hear of it. */
  #adopt(held: HeldToken, facts: Facts): void {
    const changed = this.#facts !== null && this.#facts.subject !== facts.subject;
    this.#held = held;
    this.#facts = facts;
    if (changed) this.#changeSubject();
  }

  /** Asks about a first token, which was given out already. A failure waits for the next look. */
  #describe(held: HeldToken): Promise<Facts> {
    this.#describing ??= this.#learn(held, this.life).finally(() => {
      this.#describing = null;
    });
    return this.#describing;
  }

  async #learn(held: HeldToken, life: AbortSignal): Promise<Facts> {
    try {
      const facts = await this.#inquiry.describe(held, life);
      if (this.#held === held) this.#adopt(held, facts);
      this.#schedule.look();
      return facts;
    } catch (cause) {
      const error = asInlayError(cause);
      if (life.aborted) throw error;
      if (error.status === 401) {
        await this.replace(held.value, error);
        if (this.#facts) return this.#facts;
      }
      if (!error.retryable) this.refuse(held.value, error);
      throw error;
    }
  }

  /** Begins what is due. Returns in how many milliseconds the next thing is; null for nothing. */
  #check(): number | null {
    const held = this.#held;
    if (this.life.aborted || this.ended || !this.#served) return null;
    if (this.#options.source.renewable) {
      if (!held || held.expired || held.untilRefresh === 0) void this.#refresher.begin(this.life);
    } else if (held?.expired) {
      this.#end(new InlayError('EMBED_TOKEN_EXPIRED', 'The hosted link has run out.'));
      return null;
    }
    if (held && !this.#facts && !this.#refresher.running) this.#describe(held).catch(() => {});
    return held ? held.untilRefresh : Infinity;
  }
}
