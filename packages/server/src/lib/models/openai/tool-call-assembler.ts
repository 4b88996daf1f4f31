import type { ModelEvent } from '../model.ts';
import type { CallFragment } from './read-chunk.ts';

/** Levels of objects and arrays in the arguments of a call. What goes deeper cannot be written as JSON again. */
const deepestInput = 64;

interface Call {
  id: string;
  name: string;
  text: string;
}

/**
 * Puts tool calls together from the fragments of a stream. Providers differ: most number the calls
 * by `index`, some leave it out and send whole calls, and some repeat id and name in each fragment.
 */
export class ToolCallAssembler {
  readonly #calls = new Map<number, Call>();

  /** How many calls have begun. */
  get size(): number {
    return this.#calls.size;
  }

  add(fragment: CallFragment): void {
    const call = this.#callOf(fragment);
    if (fragment.id !== '') call.id = fragment.id;
    // A name is repeated by some and split by none: so it is replaced, never joined.
    if (fragment.name !== '') call.name = fragment.name;
    call.text += fragment.arguments;
  }

  /** All text of the arguments, for an estimate of usage. */
  get text(): string {
    return [...this.#calls.values()].map((call) => call.name + call.text).join('');
  }

  *finish(): Generator<Extract<ModelEvent, { type: 'tool_call' }>> {
    for (const call of this.#calls.values()) {
      if (call.name === '') continue;
      yield { type: 'tool_call', name: call.name, input: parseInput(call.text) };
    }
  }

  #callOf(fragment: CallFragment): Call {
    const last = this.#calls.size - 1;
    const lastId = this.#calls.get(last)?.id;
    const isNext = last < 0 || (fragment.id !== '' && fragment.id !== lastId);
    const index = fragment.index ?? (isNext ? last + 1 : last);
    const known = this.#calls.get(index);
    if (known) return known;
    const call: Call = { id: '', name: '', text: '' };
    this.#calls.set(index, call);
    return call;
  }
}

function parseInput(text: string): Record<string, unknown> | null {
  // A tool without parameters is called with nothing at all by several providers.
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && isWithin(value, deepestInput) ? { ...value } : null;
  } catch {
    return null;
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}
