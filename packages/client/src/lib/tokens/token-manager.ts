import type { AuthState } from '../auth-state.ts';
import { InlayError, isInlayError } from '../errors.ts';
import { Listeners } from '../listeners.ts';
import { left, type Moment, moment } from '../moment.ts';
import type { Clock, PageSignal } from '../ports.ts';
import { abortError, untilAborted, withTimeout } from '../wait.ts';
import { askSource } from './ask-source.ts';
import { authState, statusOf } from './auth-status.ts';
import { HeldToken } from './held-token.ts';
import { RefreshPacer } from './refresh-pacer.ts';
import { closedError, spentToken, unavailable } from './token-errors.ts';
import type { TokenFacts, TokenManagerOptions } from './token-facts.ts';

const second = 1000;
/** Past this, a question to the token source or the platform counts as failed. */
const attemptLimit = 10 * second;
/** How long a caller waits for a token before it gives up. */
const waitLimit = 15 * second;
/** Longest pause between two looks at the clocks. */
const longestTick = 30 * second;
/** Two revocations within this time end the matter. */
const revocationWindow = 60 * second;
/** How many values that are no tokens are borne in a row. */
const toleratedInvalid = 3;

/** A refresh that runs. `once`: its first failure is its last. */
interface Flight {
  promise: Promise<void>;
  once: boolean;
}

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
  readonly #clock: Clock;
  readonly #listeners: Listeners;
  readonly #pacer: RefreshPacer;
  readonly #unwatch: () => void;
  #state: AuthState = { status: 'ok', error: null, canReconnect: false, externalUserId: null };
  /** Aborted when the person changes, or at the end: late results belong to nobody. */
  #life = new AbortController();
  #closed = false;
  #held: HeldToken | null = null;
  #refused: string | null = null;
  /** Whether a token of this person was given out. */
  #served = false;
  #subject: string | null = null;
  #facts: Facts | null = null;
  #describing: Promise<Facts> | null = null;
  /** The platform's clock minus the wall clock, in milliseconds; null while unknown. */
  #clockOffset: number | null = null;
  #flight: Flight | null = null;
  #asking = false;
  #ended: AuthState | null = null;
  #limit: InlayError | null = null;
  #gaveUp: InlayError | null = null;
  #lastFailure: InlayError | null = null;
  #invalid = 0;
  #revoked: Moment | null = null;
  #tick: unknown = null;

  constructor(options: TokenManagerOptions<Facts>) {
    this.#options = options;
    this.#clock = options.ports.clock;
    this.#listeners = new Listeners('onAuthChange', options.onDiagnostic ?? (() => {}));
    this.#pacer = new RefreshPacer(options.ports);
    this.#unwatch = options.ports.page.watch((signal) => this.#handlePage(signal));
  }

  get state(): AuthState {
    return this.#state;
  }

  /** Called when `state` changed. Returns the undo. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Aborted when everything that was asked so far belongs to a former person, or at the end. */
  get life(): AbortSignal {
    return this.#life.signal;
  }

  /** Whether the person may not talk until they ask to reconnect. */
  get ended(): boolean {
    return this.#ended !== null;
  }

  /**
   * A token that is not known to be spent. Rejects with `TOKEN_UNAVAILABLE` when none could be had
   * within 15 seconds, and with what ended the matter when it is ended.
   */
  async get(signal?: AbortSignal): Promise<string> {
    if (this.#asking) {
      throw new InlayError(
        'TOKEN_REENTRANCY',
        'getToken called something of this client that needs a token itself. Fetch the token from your backend directly.',
      );
    }
    this.#assertUsable();
    const held = this.#held;
    if (held && !held.expired) {
      if (held.untilRefresh === 0) this.#refresh();
      return held.value;
    }
    return this.#wait(this.#refresh(), signal);
  }

  /** What the platform says about the token: asked once for each token. */
  async facts(): Promise<Facts> {
    if (this.#facts) return this.#facts;
    await this.get();
    return this.#facts ?? this.#describeHeld();
  }

  /**
   * A token in place of one that the platform refused with 401. Only the first refusal of a token
   * leads to a question to the source; a second revocation within a minute ends the matter.
   */
  async replace(refused: string, error: InlayError, signal?: AbortSignal): Promise<string> {
    this.#assertUsable();
    if (this.#held?.value !== refused) return this.get(signal);
    this.#held = null;
    this.#refused = refused;
    const denied = statusOf(error, 'ok');
    if (denied === 'blocked' || denied === 'origin_denied' || !this.#options.source.renewable) {
      throw this.#end(error);
    }
    if (error.code !== 'EMBED_TOKEN_REVOKED') return this.#wait(this.#refresh(), signal);

    const again = left(this.#revoked, revocationWindow, this.#clock) > 0;
    this.#revoked = moment(this.#clock);
    if (again) throw this.#end(error);
    this.#lastFailure = error;
    this.#pacer.bypass();
    return this.#wait(this.#refresh(true), signal);
  }

  /** The platform's no to a token that it may refuse only for good: ends the matter. */
  refuse(token: string, error: InlayError): void {
    if (this.#held?.value === token && !this.#ended) this.#end(error);
  }

  /** A budget or quota is spent (the error), or there is room again (null). */
  limit(error: InlayError | null): void {
    this.#limit = error;
    this.#show();
  }

  /** Asks the source once more, because the person wants it: no cool-down holds it back. */
  async reconnect(): Promise<void> {
    if (this.#closed) throw closedError();
    if (!this.#options.source.renewable && this.#ended?.error) throw this.#ended.error;
    const before = this.#ended;
    if (!before && !this.#limit && this.#held && !this.#held.expired) return;
    this.#ended = null;
    this.#limit = null;
    this.#revoked = null;
    this.#pacer.bypass();
    this.#held = null;
    const flight = this.#refresh(true);
    this.#show();
    try {
      await this.#wait(flight);
    } catch (error) {
      // A new person has a token too, which is all that was asked for.
      if (!(isInlayError(error) && error.code === 'SUBJECT_CHANGED' && this.#held)) throw error;
    }
  }

  /** Another person uses the page: forgets everything. Callers that wait get `SUBJECT_CHANGED`. */
  reset(): void {
    if (this.#closed) return;
    this.#held = null;
    this.#refused = null;
    this.#served = false;
    this.#subject = null;
    this.#facts = null;
    this.#ended = null;
    this.#limit = null;
    this.#gaveUp = null;
    this.#revoked = null;
    this.#lastFailure = null;
    this.#pacer.bypass();
    this.#changeSubject();
    this.#show();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unwatch();
    this.#clock.clearTimeout(this.#tick);
    this.#held = null;
    this.#refused = null;
    this.#facts = null;
    this.#life.abort(closedError());
    this.#listeners.clear();
  }

  #assertUsable(): void {
    if (this.#closed) throw closedError();
    if (this.#ended?.error) throw this.#ended.error;
  }

  /** Waits for a refresh: no longer than 15 seconds, its own signal, or this person's stay. */
  async #wait(flight: Flight, signal?: AbortSignal): Promise<string> {
    if (this.#gaveUp && this.#pacer.cooling && !flight.once) throw this.#gaveUp;
    await this.#sourceReady(this.life);
    const landing = withTimeout(() => flight.promise, {
      clock: this.#clock,
      milliseconds: waitLimit,
      signal: this.life,
      late: () => this.#giveUp(),
    });
    await (signal ? untilAborted(landing, signal) : landing);
    const held = this.#held;
    if (!held) throw unavailable();
    return held.value;
  }

  #sourceReady(life: AbortSignal): Promise<void> {
    return untilAborted(this.#options.source.ready ?? Promise.resolve(), life);
  }

  #giveUp(): InlayError {
    if (!this.#gaveUp || !this.#pacer.cooling) {
      this.#pacer.coolDown();
      this.#gaveUp = this.#lastFailure ?? unavailable();
      this.#show();
    }
    return this.#gaveUp;
  }

  #refresh(once = false): Flight {
    if (this.#flight) {
      this.#flight.once ||= once;
      return this.#flight;
    }
    const flight: Flight = { promise: Promise.resolve(), once };
    this.#flight = flight;
    flight.promise = this.#fly(flight, this.#life.signal).finally(() => {
      if (this.#flight === flight) this.#flight = null;
      this.#show();
      this.#check();
    });
    // Nobody may be waiting for a refresh ahead of time.
    flight.promise.catch(() => {});
    this.#show();
    return flight;
  }

  async #fly(flight: Flight, life: AbortSignal): Promise<void> {
    await this.#sourceReady(life);
    for (;;) {
      await this.#pacer.ready(life);
      if (life.aborted) throw abortError(life);
      try {
        await this.#obtain(life);
        return;
      } catch (cause) {
        if (life.aborted) throw abortError(life);
        const error = isInlayError(cause) ? cause : unavailable();
        this.#invalid = error.code === 'INVALID_TOKEN_FROM_HOST' ? this.#invalid + 1 : 0;
        const final = !error.retryable || flight.once || this.#invalid >= toleratedInvalid;
        if (final) throw this.#end(error);
        this.#lastFailure = error;
        this.#options.onDiagnostic?.({
          type: 'token_retry',
          code: error.code,
          delay: this.#pacer.failed(),
          degraded: this.#usable !== null,
        });
      }
    }
  }

  /** Gets one token, and gives it out if it is good. */
  async #obtain(life: AbortSignal): Promise<void> {
    const { source, baseUrl, ports } = this.#options;
    const asked = moment(this.#clock);
    const current = this.#held?.value ?? this.#refused;
    const grant = await this.#limited(life, (signal) => {
      // Known only for what getToken does before its first await; the rest meets the time limit.
      this.#asking = true;
      try {
        return askSource(source, { current, signal, baseUrl, ports });
      } finally {
        this.#asking = false;
      }
    });
    if (grant.token === this.#refused) {
      throw new InlayError(
        'INVALID_TOKEN_FROM_HOST',
        'getToken gave the very token that the platform had just refused. Let your backend issue a new one on every call.',
      );
    }
    const held = new HeldToken(grant.token, asked, this.#clock);
    if (grant.expires_at !== undefined && this.#clockOffset !== null) {
      const lifetime = Date.parse(grant.expires_at) - (this.#clock.now() + this.#clockOffset);
      if (lifetime <= 0) throw spentToken();
      held.live(lifetime, moment(this.#clock), ports.random);
    }
    if (this.#served) this.#adopt(held, await this.#describe(held, life));
    else this.#held = held;
    this.#refused = null;
    this.#served = true;
    this.#gaveUp = null;
    this.#lastFailure = null;
    this.#invalid = 0;
    this.#pacer.succeeded();
    if (!this.#facts) this.#describeHeld().catch(() => {});
  }

  /** Asks whose a token is and how long it lives. */
  async #describe(held: HeldToken, life: AbortSignal): Promise<Facts> {
    const asked = moment(this.#clock);
    const facts = await this.#limited(life, (signal) => this.#options.describe(held.value, signal));
    if (facts.lifetime <= 0) throw spentToken();
    held.live(facts.lifetime, asked, this.#options.ports.random);
    this.#clockOffset = facts.serverTime - this.#clock.now();
    return facts;
  }

  /** From here on the token speaks: first it takes the former one's place, then others hear of it. */
  #adopt(held: HeldToken, facts: Facts): void {
    const changed = this.#subject !== null && this.#subject !== facts.subject;
    this.#held = held;
    this.#subject = facts.subject;
    this.#facts = facts;
    if (changed) this.#changeSubject();
  }

  /** Asks about a first token, which was given out already. */
  #describeHeld(): Promise<Facts> {
    const held = this.#held;
    if (!held) return Promise.reject(unavailable());
    this.#describing ??= this.#describe(held, this.#life.signal)
      .then((facts) => {
        if (this.#held === held) this.#adopt(held, facts);
        return facts;
      })
      .catch(async (error: unknown) => {
        if (!isInlayError(error) || this.#life.signal.aborted) throw error;
        if (error.status === 401) {
          await this.replace(held.value, error);
          if (this.#facts) return this.#facts;
        } else if (!error.retryable) {
          this.refuse(held.value, error);
        }
        throw error;
      })
      .finally(() => {
        this.#describing = null;
        this.#show();
        this.#check();
      });
    return this.#describing;
  }

  #limited<Value>(
    life: AbortSignal,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    return withTimeout(work, {
      clock: this.#clock,
      milliseconds: attemptLimit,
      signal: life,
      late: () =>
        new InlayError(
          'TOKEN_UNAVAILABLE',
          'No token within 10 seconds. If getToken waits for something of this client, it waits for itself.',
          { retryable: true },
        ),
    });
  }

  #changeSubject(): void {
    this.#describing = null;
    this.#flight = null;
    const former = this.#life;
    this.#life = new AbortController();
    former.abort(
      new InlayError('SUBJECT_CHANGED', 'Another person uses the page now: this was dropped.'),
    );
    this.#options.onSubjectChange?.();
  }

  #end(error: InlayError): InlayError {
    const afterRevocation = left(this.#revoked, revocationWindow, this.#clock) > 0;
    const status = statusOf(error, afterRevocation ? 'revoked' : 'expired');
    this.#held = null;
    this.#ended = {
      status,
      error,
      canReconnect: this.#options.source.renewable && status !== 'origin_denied',
      externalUserId: this.#subject,
    };
    this.#show();
    return error;
  }

  get #usable(): HeldToken | null {
    return this.#held && !this.#held.expired ? this.#held : null;
  }

  /** Looks at the clocks, and comes back before anything can be due. */
  #check(): void {
    this.#clock.clearTimeout(this.#tick);
    if (this.#closed || this.#ended || !this.#served) return;
    const held = this.#held;
    if (!this.#options.source.renewable) {
      if (held?.expired) {
        this.#end(new InlayError('EMBED_TOKEN_EXPIRED', 'The hosted link has run out.'));
        return;
      }
    } else if (!held || held.expired || held.untilRefresh === 0) {
      this.#refresh();
    }
    if (held && !this.#facts && !this.#flight) this.#describeHeld().catch(() => {});
    const wait = Math.ceil(Math.min(longestTick, held?.untilRefresh || longestTick));
    this.#tick = this.#clock.setTimeout(() => this.#check(), wait);
  }

  #handlePage(signal: PageSignal): void {
    if (signal === 'online' || signal === 'restored') this.#pacer.retryNow();
    if (signal !== 'offline' && signal !== 'hidden') this.#check();
    this.#show();
  }

  #show(): void {
    if (this.#closed) return;
    const before = this.#state;
    this.#state = authState(before, {
      ended: this.#ended,
      online: this.#options.ports.page.online(),
      limit: this.#limit,
      good: this.#usable !== null || (!this.#flight && !this.#served),
      gaveUp: this.#pacer.cooling ? this.#gaveUp : null,
      externalUserId: this.#subject,
    });
    if (this.#state !== before) this.#listeners.notify();
  }
}
