import type { LogEvent } from '@inlay/protocol';
import { readEvent } from '@inlay/protocol/read-event';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationState, Entry, UserEntry } from '../state.ts';
import type { ConversationEvent } from './events.ts';
import { reduce } from './index.ts';
import { initialConversationState } from './initial-state.ts';

/** An entry that the log should produce. */
interface ExpectedEntry {
  readonly key: string;
  readonly rank: number;
  /** Id of the user message that the entry belongs to. Every branch with this message shows the entry. */
  readonly owner: string;
}

/** Builds a log with branches as the platform writes it, and the entries to expect in each branch. */
class BranchedLog {
  readonly events: LogEvent[] = [];
  readonly entries: ExpectedEntry[] = [];
  /** The parent of each message by id. */
  readonly parents = new Map<string, string | null>();
  readonly cards: { readonly id: string; readonly owner: string }[] = [];
  head: string | null = null;
  #requestSeq = 0;
  #answeredMessage = '';

  append(type: string, fields: Record<string, unknown> = {}): string {
    const seq = this.events.length + 1;
    const id = `evt_${seq}`;
    const read = readEvent({ id, seq, type, processed_at: '2026-01-01T00:00:00Z', ...fields });
    if (read.kind !== 'log') throw new Error(`not an event of the log: ${type}`);
    this.events.push(read.event);
    return id;
  }

  addMessage(parent: string | null): void {
    if (parent !== this.head) this.append('user.interrupt');
    const id = this.append('user.message', { content: textContent('Hm'), parent_id: parent });
    this.parents.set(id, parent);
    this.head = id;
    this.entries.push({ key: id, rank: this.events.length, owner: id });
  }

  startRequest(): void {
    this.append('span.model_request_start');
    this.#requestSeq = this.events.length;
    this.#answeredMessage = this.head ?? '';
  }

  addOutput(type: 'agent.message' | 'agent.tool_use' | 'agent.card'): void {
    const fields = {
      'agent.message': { content: textContent('Well') },
      'agent.tool_use': { name: 'look', input: {} },
      'agent.card': { card: { blocks: [] } },
    };
    const id = this.append(type, fields[type]);
    this.entries.push({ key: id, rank: this.#requestSeq, owner: this.#answeredMessage });
    if (type === 'agent.card') this.cards.push({ id, owner: this.#answeredMessage });
  }

  /** Answers a card. The branch of the card becomes the current branch. */
  answerCard(index: number): void {
    const [card] = this.cards.splice(index % Math.max(1, this.cards.length), 1);
    if (!card) return;
    const end = this.pathTo(this.head).has(card.owner)
      ? this.head
      : [...this.parents.keys()].findLast((id) => this.pathTo(id).has(card.owner));
    this.append('user.card_action', { card_id: card.id, action: 'go', parent_id: end });
    this.head = end ?? this.head;
  }

  pathTo(message: string | null): Set<string> {
    const path = new Set<string>();
    for (let id = message; id; id = this.parents.get(id) ?? null) path.add(id);
    return path;
  }

  shown(leaf: string | null): string[] {
    const path = this.pathTo(leaf);
    return this.entries
      .filter(({ owner }) => path.has(owner))
      .sort((a, b) => a.rank - b.rank)
      .map(({ key }) => key);
  }
}

const textContent = (words: string) => [{ type: 'text', text: words }];

const turn = fc.record({
  /** Parent of the message: the last message of the current branch, the nth message, or none. */
  parent: fc.oneof(
    { weight: 3, arbitrary: fc.constant('head' as const) },
    { weight: 2, arbitrary: fc.nat(20) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  outputs: fc.array(fc.constantFrom('agent.message', 'agent.tool_use', 'agent.card'), {
    maxLength: 3,
  }),
  /** Parent of a message that is sent in the middle of the answer. */
  interruptionParent: fc.option(fc.nat(20), { freq: 3 }),
  answeredCard: fc.option(fc.nat(5), { freq: 3 }),
});

const branchedLogs = fc.array(turn, { minLength: 1, maxLength: 8 }).map((turns) => {
  const log = new BranchedLog();
  const pick = (index: number) => [...log.parents.keys()][index % log.parents.size] ?? null;
  for (const { parent, outputs, interruptionParent, answeredCard } of turns) {
    log.addMessage(parent === 'head' ? log.head : parent === null ? null : pick(parent));
    log.append('session.status_running');
    log.startRequest();
    if (interruptionParent !== null) log.addMessage(pick(interruptionParent));
    for (const type of outputs) log.addOutput(type);
    log.append('span.model_request_end');
    if (interruptionParent !== null) {
      log.startRequest();
      log.addOutput('agent.message');
      log.append('span.model_request_end');
    }
    log.append('session.status_idle', { stop_reason: { type: 'end_turn' } });
    if (answeredCard !== null && log.cards.length > 0) {
      log.answerCard(answeredCard);
      log.append('session.status_running');
      log.startRequest();
      log.addOutput('agent.message');
      log.append('span.model_request_end');
      log.append('session.status_idle', { stop_reason: { type: 'end_turn' } });
    }
  }
  return log;
});

const entryKeys = ({ entries }: ConversationState) => entries.map(({ key }) => key);

/** Reduces the first event, then batches whose sizes are taken from `sizes` in a cycle. */
function reduceInBatches(
  events: readonly ConversationEvent[],
  sizes: readonly number[],
  onState: (state: ConversationState) => void = () => {},
): ConversationState {
  let state = initialConversationState;
  for (let start = 0, batches = 0; start < events.length; batches += 1) {
    const size = start === 0 ? 1 : (sizes[batches % sizes.length] ?? 1);
    state = reduce(state, events.slice(start, start + size));
    start += size;
    onState(state);
  }
  return state;
}

/** Returns the log in pages, the newest page first. */
function pagesOf(log: readonly LogEvent[], size: number): ConversationEvent[] {
  const pages: ConversationEvent[] = [];
  for (let end = log.length; end > 0; end -= size) {
    const events = log.slice(Math.max(0, end - size), end);
    const page = { first: end === log.length, more: end > size, lastSeq: log.length };
    pages.push({ type: 'local.history', events, ...page });
  }
  return pages;
}

const batchSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const userEntries = (entries: readonly Entry[]) =>
  entries.filter((entry): entry is UserEntry => entry.kind === 'user');

describe('a conversation with branches', () => {
  it('shows the branch of the newest message after events in batches of any size', () => {
    fc.assert(
      fc.property(branchedLogs, batchSizes, (log, sizes) => {
        expect(entryKeys(reduceInBatches(log.events, sizes))).toEqual(log.shown(log.head));
      }),
      { numRuns: 60 },
    );
  });

  it('shows the current branch of the log after a reload, with pages of any size', () => {
    fc.assert(
      fc.property(branchedLogs, fc.integer({ min: 1, max: 30 }), (log, size) => {
        const expected = log.shown(log.head);
        let state = initialConversationState;
        for (const page of pagesOf(log.events, size)) {
          state = reduce(state, page);
          // A partly loaded log shows only the end of the branch. Entries whose model request is not
          // loaded are not compared, because that request determines their position.
          const { unplaced } = state.memory;
          const placed = (key: string) => !unplaced.includes(key);
          const shown = entryKeys(state).filter(placed);
          expect(shown).toEqual(shown.length ? expected.filter(placed).slice(-shown.length) : []);
        }
        expect(entryKeys(state)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('shows the selected branch, and gives each message the number of its versions', () => {
    fc.assert(
      fc.property(branchedLogs, fc.array(fc.tuple(fc.nat(20), fc.nat(5))), (log, switches) => {
        let state = reduce(initialConversationState, pagesOf(log.events, 1000));
        for (const [which, version] of switches) {
          const forks = userEntries(state.entries).filter(({ versions }) => versions !== null);
          const fork = forks[which % Math.max(1, forks.length)];
          if (!fork?.versions) return;
          const at = version % fork.versions.of;
          state = reduce(state, { type: 'local.version_selected', key: fork.key, at });

          const siblings = [...log.parents].flatMap(([id, parent]) =>
            parent === log.parents.get(fork.key) ? [id] : [],
          );
          const selected = siblings[at] ?? '';
          const leaf = [...log.parents.keys()].findLast((id) => log.pathTo(id).has(selected));
          expect(entryKeys(state)).toEqual(log.shown(leaf ?? null));
          const shown = userEntries(state.entries).find(({ key }) => key === selected);
          expect(shown?.versions).toEqual({ at, of: siblings.length });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the identity of unchanged entries', () => {
    fc.assert(
      fc.property(branchedLogs, batchSizes, (log, sizes) => {
        const last = new Map<string, Entry>();
        reduceInBatches(log.events, sizes, (state) => {
          for (const entry of state.memory.branches.all ?? state.entries) {
            const before = last.get(entry.key);
            if (before !== entry && before) expect(before).not.toEqual(entry);
            last.set(entry.key, entry);
          }
        });
      }),
    );
  });

  it('keeps the selected branch when another page sends a message to another branch', () => {
    const log = new BranchedLog();
    log.addMessage(null);
    log.addMessage(null);
    let state = reduceInBatches(log.events, [1]);
    const [first, second] = [...log.parents.keys()];
    state = reduce(state, { type: 'local.version_selected', key: second ?? '', at: 0 });
    expect(entryKeys(state)).toEqual([first]);
    log.addMessage(second ?? null);
    state = reduce(state, log.events);
    expect(entryKeys(state)).toEqual([first]);
    log.addMessage(first ?? null);
    expect(entryKeys(reduce(state, log.events))).toEqual([first, log.head]);
  });

  it('keeps the versions of a message whose response arrived before its event of the log', () => {
    const log = new BranchedLog();
    log.addMessage(null);
    log.addMessage(null);
    const [first, , second] = log.events as [LogEvent, LogEvent, LogEvent<'user.message'>];
    const content = [{ type: 'text' as const, text: 'Hm' }];
    const state = reduce(initialConversationState, [
      first,
      { type: 'local.message_added', key: 'key_2', content, parent: null, at: 0 },
      { type: 'local.delivery', key: 'key_2', delivery: 'sending', error: null },
      { type: 'local.accepted', key: 'key_2', event: second },
    ]);
    const [shown] = userEntries(reduce(state, log.events).entries);
    expect(shown).toMatchObject({ id: second.id, versions: { at: 1, of: 2 } });
  });

  it('accepts a message whose parent is the message itself or a later message', () => {
    const parents = fc.array(fc.integer({ min: -1, max: 12 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parents, batchSizes, (indexes, sizes) => {
        const log = new BranchedLog();
        for (const index of indexes) {
          const parent_id = index < 0 ? null : `evt_${index}`;
          log.append('user.message', { content: textContent('Hm'), parent_id });
        }
        const shown = entryKeys(reduceInBatches(log.events, sizes));
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.length).toBeGreaterThan(0);
      }),
    );
  });
});
