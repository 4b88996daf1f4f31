import { isObject } from '../../json.ts';
import type { ModelEvent } from '../model.ts';
import type { CallFragment } from './read-chunk.ts';

/** Maximum depth of the arguments of a call. Deeper values cannot be serialized as JSON. */
const maximumInputDepth = 64;

interface PartialCall {
  id: string;
  name: string;
  text: string;
}

/**
 * Assembles tool calls from the fragments of a stream. Most providers number the calls by `index`.
 * Some omit the index and send whole calls, and some repeat the id and the name in each fragment.
 */
export class ToolCallAssembler {
  readonly #calls = new Map<number, PartialCall>();

  /** Number of calls so far. */
  get size(): number {
    return this.#calls.size;
  }

  add(fragment: CallFragment): void {
    const call = this.#callOf(fragment);
    if (fragment.id !== '') call.id = fragment.id;
    // Replaced, not concatenated: some providers repeat the name, but none splits it.
    if (fragment.name !== '') call.name = fragment.name;
    call.text += fragment.arguments;
  }

  /** The names and arguments of all calls, for the estimate of the usage. */
  get text(): string {
    return [...this.#calls.values()].map((call) => call.name + call.text).join('');
  }

  *finish(): Generator<Extract<ModelEvent, { type: 'tool_call' }>> {
    for (const call of this.#calls.values()) {
      if (call.name === '') continue;
      yield { type: 'tool_call', name: call.name, input: parseInput(call.text) };
    }
  }

  #callOf(fragment: CallFragment): PartialCall {
    const last = this.#calls.size - 1;
    const lastId = this.#calls.get(last)?.id;
    const isNext = last < 0 || (fragment.id !== '' && fragment.id !== lastId);
    const index = fragment.index ?? (isNext ? last + 1 : last);
    const known = this.#calls.get(index);
    if (known) return known;
    const call: PartialCall = { id: '', name: '', text: '' };
    this.#calls.set(index, call);
    return call;
  }
}

function parseInput(text: string): Record<string, unknown> | null {
  // Several providers send an empty string for a tool without parameters.
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isWithinDepth(value, maximumInputDepth) ? { ...value } : null;
  } catch {
    return null;
  }
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithinDepth(member, levels - 1));
}
