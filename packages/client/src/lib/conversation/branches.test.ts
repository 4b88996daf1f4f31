import type { LogEvent } from '@inlay/protocol';
import { readEvent } from '@inlay/protocol/read-event';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialConversationState } from './initial-state.ts';
import type { ConversationEvent } from './local-events.ts';
import { reduce } from './reducer.ts';
import type { ConversationState, Entry, UserEntry } from './state.ts';

/** Something that is shown, and the message whose branch it belongs to. */
interface Told {
  readonly key: string;
  readonly rank: number;
  readonly owner: string;
}

/** A log with branches as the platform writes it, and what is to be shown of each branch. */
class Tale {
  readonly log: LogEvent[] = [];
  readonly told: Told[] = [];
  /** The messages, by what they follow. */
  readonly parents = new Map<string, string | null>();
  readonly cards: { readonly id: string; readonly owner: string }[] = [];
  head: string | null = null;
  #request = 0;
  #answered = '';

  write(type: string, fields: Record<string, unknown> = {}): string {
    const seq = this.log.length + 1;
    const id = `evt_${seq}`;
    const read = readEvent({ id, seq, type, processed_at: '2026-01-01T00:00:00Z', ...fields });
    if (read.kind !== 'log') throw new Error(`no event: ${type}`);
    this.log.push(read.event);
    return id;
  }

  say(parent: string | null): void {
    if (parent !== this.head) this.write('user.interrupt');
    const id = this.write('user.message', { content: text('Hm'), parent_id: parent });
    this.parents.set(id, parent);
    this.head = id;
    this.told.push({ key: id, rank: this.log.length, owner: id });
  }

  ask(): void {
    this.write('span.model_request_start');
    this.#request = this.log.length;
    this.#answered = this.head ?? '';
  }

  answer(type: 'agent.message' | 'agent.tool_use' | 'agent.card'): void {
    const fields = {
      'agent.message': { content: text('Well') },
      'agent.tool_use': { name: 'look', input: {} },
      'agent.card': { card: { blocks: [] } },
    };
    const id = this.write(type, fields[type]);
    this.told.push({ key: id, rank: this.#request, owner: this.#answered });
    if (type === 'agent.card') this.cards.push({ id, owner: this.#answered });
  }

  /** Answers a card, which takes the log back to the card's branch. */
  press(at: number): void {
    const [card] = this.cards.splice(at % Math.max(1, this.cards.length), 1);
    if (!card) return;
    const end = this.pathTo(this.head).has(card.owner)
      ? this.head
      : [...this.parents.keys()].findLast((id) => this.pathTo(id).has(card.owner));
    this.write('user.card_action', { card_id: card.id, action: 'go', parent_id: end });
    this.head = end ?? this.head;
  }

  pathTo(message: string | null): Set<string> {
    const path = new Set<string>();
    for (let at = message; at; at = this.parents.get(at) ?? null) path.add(at);
    return path;
  }

  shown(leaf: string | null): string[] {
    const path = this.pathTo(leaf);
    return this.told
      .filter(({ owner }) => path.has(owner))
      .sort((a, b) => a.rank - b.rank)
      .map(({ key }) => key);
  }
}

const text = (words: string) => [{ type: 'text', text: words }];

const turn = fc.record({
  /** Which message it follows: the latest, an earlier one, or none. */
  follows: fc.oneof(
    { weight: 3, arbitrary: fc.constant('head' as const) },
    { weight: 2, arbitrary: fc.nat(20) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  says: fc.array(fc.constantFrom('agent.message', 'agent.tool_use', 'agent.card'), {
    maxLength: 3,
  }),
  /** Another message that comes in the middle of the answer. */
  interruption: fc.option(fc.nat(20), { freq: 3 }),
  press: fc.option(fc.nat(5), { freq: 3 }),
});

const tales = fc.array(turn, { minLength: 1, maxLength: 8 }).map((turns) => {
  const tale = new Tale();
  const pick = (at: number) => [...tale.parents.keys()][at % tale.parents.size] ?? null;
  for (const { follows, says, interruption, press } of turns) {
    tale.say(follows === 'head' ? tale.head : follows === null ? null : pick(follows));
    tale.write('session.status_running');
    tale.ask();
    if (interruption !== null) tale.say(pick(interruption));
    for (const type of says) tale.answer(type);
    tale.write('span.model_request_end');
    if (interruption !== null) {
      tale.ask();
      tale.answer('agent.message');
      tale.write('span.model_request_end');
    }
    tale.write('session.status_idle', { stop_reason: { type: 'end_turn' } });
    if (press !== null && tale.cards.length > 0) {
      tale.press(press);
      tale.write('session.status_running');
      tale.ask();
      tale.answer('agent.message');
      tale.write('span.model_request_end');
      tale.write('session.status_idle', { stop_reason: { type: 'end_turn' } });
    }
  }
  return tale;
});

const keys = ({ entries }: ConversationState) => entries.map(({ key }) => key);

/** Plays events in batches of these sizes, over and over. */
function play(
  events: readonly ConversationEvent[],
  sizes: readonly number[],
  each: (state: ConversationState) => void = () => {},
): ConversationState {
  let state = initialConversationState;
  for (let at = 0, turn = 0; at < events.length; turn += 1) {
    const size = at === 0 ? 1 : (sizes[turn % sizes.length] ?? 1);
    state = reduce(state, events.slice(at, at + size));
    at += size;
    each(state);
  }
  return state;
}

/** The log as it is read in pages, the newest first. */
function pages(log: readonly LogEvent[], size: number): ConversationEvent[] {
  const told: ConversationEvent[] = [];
  for (let end = log.length; end > 0; end -= size) {
    const events = log.slice(Math.max(0, end - size), end);
    const page = { first: end === log.length, more: end > size, lastSeq: log.length };
    told.push({ type: 'local.history', events, ...page });
  }
  return told;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const users = (entries: readonly Entry[]) =>
  entries.filter((entry): entry is UserEntry => entry.kind === 'user');

describe('branches', () => {
  it('show the path of the newest message, in batches of any size', () => {
    fc.assert(
      fc.property(tales, sizes, (tale, batches) => {
        expect(keys(play(tale.log, batches))).toEqual(tale.shown(tale.head));
      }),
      { numRuns: 60 },
    );
  });

  it('show the log’s current branch after a reload, with pages of any size', () => {
    fc.assert(
      fc.property(tales, fc.integer({ min: 1, max: 30 }), (tale, size) => {
        const expected = tale.shown(tale.head);
        let state = initialConversationState;
        for (const page of pages(tale.log, size)) {
          state = reduce(state, page);
          // What is shown is the end of the path, and nothing of another branch. An answer whose
          // question was not read yet finds its place later.
          const { unplaced } = state.memory;
          const placed = (key: string) => !unplaced.includes(key);
          const shown = keys(state).filter(placed);
          expect(shown).toEqual(shown.length ? expected.filter(placed).slice(-shown.length) : []);
        }
        expect(keys(state)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('can each be selected, and are counted', () => {
    fc.assert(
      fc.property(tales, fc.array(fc.tuple(fc.nat(20), fc.nat(5))), (tale, switches) => {
        let state = reduce(initialConversationState, pages(tale.log, 1000));
        for (const [which, to] of switches) {
          const forks = users(state.entries).filter(({ versions }) => versions !== null);
          const fork = forks[which % Math.max(1, forks.length)];
          if (!fork?.versions) return;
          const at = to % fork.versions.of;
          state = reduce(state, { type: 'local.shown', key: fork.key, at });

          const siblings = [...tale.parents].flatMap(([id, parent]) =>
            parent === tale.parents.get(fork.key) ? [id] : [],
          );
          const top = siblings[at] ?? '';
          const leaf = [...tale.parents.keys()].findLast((id) => tale.pathTo(id).has(top));
          expect(keys(state)).toEqual(tale.shown(leaf ?? null));
          const shown = users(state.entries).find(({ key }) => key === top);
          expect(shown?.versions).toEqual({ at, of: siblings.length });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keep the identity of unchanged entries', () => {
    fc.assert(
      fc.property(tales, sizes, (tale, batches) => {
        const last = new Map<string, Entry>();
        play(tale.log, batches, (state) => {
          for (const entry of state.memory.branches.all ?? state.entries) {
            const before = last.get(entry.key);
            if (before !== entry && before) expect(before).not.toEqual(entry);
            last.set(entry.key, entry);
          }
        });
      }),
    );
  });

  it('do not change the selected branch when another page sends a message', () => {
    const tale = new Tale();
    tale.say(null);
    tale.say(null);
    let state = play(tale.log, [1]);
    const [first, second] = [...tale.parents.keys()];
    state = reduce(state, { type: 'local.shown', key: second ?? '', at: 0 });
    expect(keys(state)).toEqual([first]);
    tale.say(second ?? null);
    state = reduce(state, tale.log);
    expect(keys(state)).toEqual([first]);
    tale.say(first ?? null);
    expect(keys(reduce(state, tale.log))).toEqual([first, tale.head]);
  });

  it('accept messages whose parent is themselves or a later message', () => {
    const parents = fc.array(fc.integer({ min: -1, max: 12 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parents, sizes, (places, batches) => {
        const tale = new Tale();
        for (const place of places) {
          const parent_id = place < 0 ? null : `evt_${place}`;
          tale.write('user.message', { content: text('Hm'), parent_id });
        }
        const shown = keys(play(tale.log, batches));
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.length).toBeGreaterThan(0);
      }),
    );
  });
});
