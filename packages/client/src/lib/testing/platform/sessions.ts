import { type Allowance, idPrefix, type Session } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import type { Gates } from '../gates.ts';
import type { Ids } from './ids.ts';
import { ProblemError } from './problem-error.ts';
import { Runner } from './runner.ts';
import type { AnswerOption } from './script.ts';
import { ScriptedSession } from './session.ts';

export interface NewSession {
  readonly user: string;
  /** Default: the next of `ses_1`, `ses_2`, … */
  readonly id?: string;
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Budget in cents. Default: null, no budget. */
  readonly budgetCents?: number | null;
}

/** The sessions of the scripted platform, and the runners that answer their messages. */
export class Sessions {
  readonly #ports: { clock: Clock; ids: Ids; gates: Gates; answer: () => AnswerOption };
  readonly #agentFor: (user: string) => Session['agent'];
  readonly #allowancesFor: (user: string) => readonly Allowance[];
  readonly #sessions = new Map<string, ScriptedSession>();
  readonly #runners = new WeakMap<ScriptedSession, Runner>();
  /** Results by scope and idempotency key. */
  readonly #results = new Map<string, { body: string; result: unknown }>();

  constructor(
    ports: { clock: Clock; ids: Ids; gates: Gates; answer: () => AnswerOption },
    settings: {
      agent: (user: string) => Session['agent'];
      allowances: (user: string) => readonly Allowance[];
    },
  ) {
    this.#ports = ports;
    this.#agentFor = settings.agent;
    this.#allowancesFor = settings.allowances;
  }

  get all(): ScriptedSession[] {
    return [...this.#sessions.values()];
  }

  create(options: NewSession): ScriptedSession {
    const { clock, ids } = this.#ports;
    const session = new ScriptedSession({
      title: null,
      metadata: {},
      budgetCents: null,
      ...options,
      id: options.id ?? ids.next(idPrefix.session),
      agent: this.#agentFor(options.user),
      clock,
      ids,
      allowances: () => this.#allowancesFor(options.user),
      onInput: (_, events) => this.runner(session).handleInputs(events),
    });
    this.#runners.set(session, new Runner(session, this.#ports));
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Returns a session; null if there is none. */
  find(id: string): ScriptedSession | null {
    return this.#sessions.get(id) ?? null;
  }

  /** Returns a session of the user. Throws `NOT_FOUND` if it is missing or another user's. */
  findOwned(user: string, id: string): ScriptedSession {
    const session = this.#sessions.get(id);
    if (session?.user === user) return session;
    throw new ProblemError('NOT_FOUND', {
      detail: 'There is no session with this id, or it is not yours.',
    });
  }

  delete(session: ScriptedSession): void {
    this.#sessions.delete(session.id);
    this.runner(session).close();
    session.delete();
  }

  /** Deletes all sessions of a user. Returns their number. */
  deleteAll(user: string): number {
    const userSessions = this.all.filter((session) => session.user === user);
    for (const session of userSessions) this.delete(session);
    return userSessions.length;
  }

  runner(session: ScriptedSession): Runner {
    const runner = this.#runners.get(session);
    if (!runner) throw new TypeError('This session belongs to another platform.');
    return runner;
  }

  /** Stops all runs of a user. */
  interrupt(user: string): void {
    for (const session of this.all) {
      if (session.user === user && session.running) session.input({ type: 'user.interrupt' });
    }
  }

  /**
   * Calls `action` once for each idempotency key. A repeat returns the same result; with another body,
   * it is rejected.
   */
  once<Value>(scope: string, key: string | null, body: unknown, action: () => Value): Value {
    if (key === null) return action();
    const scopedKey = `${scope} ${key}`;
    const json = JSON.stringify(body);
    const first = this.#results.get(scopedKey);
    if (first && first.body !== json) {
      throw new ProblemError('CONFLICT', {
        detail: 'This `Idempotency-Key` was used with another body. Send a new key.',
      });
    }
    const result = first ? (first.result as Value) : action();
    this.#results.set(scopedKey, { body: json, result });
    return result;
  }
}
