import type { ModelEvent } from '../model.ts';

interface Fragment {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly function?: {
    readonly name?: string | undefined;
    readonly arguments?: string | undefined;
  };
}

interface Call {
  id: string | undefined;
  name: string;
  text: string;
}

/**
 * Puts tool calls together from the fragments of a stream. Providers differ: most number the calls
 * by `index`, some leave it out and send whole calls, and some repeat id and name in each fragment.
 */
export class ToolCallAssembler {
  readonly #calls = new Map<number, Call>();

  add(fragment: Fragment): void {
    const call = this.#callOf(fragment);
    if (fragment.id) call.id = fragment.id;
    // A name is repeated by some and split by none: so it is replaced, never joined.
    if (fragment.function?.name) call.name = fragment.function.name;
    call.text += fragment.function?.arguments ?? '';
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

  #callOf(fragment: Fragment): Call {
    const last = this.#calls.size - 1;
    const lastId = this.#calls.get(last)?.id;
    const isNext = last < 0 || (fragment.id !== undefined && fragment.id !== lastId);
    const index = fragment.index ?? (isNext ? last + 1 : last);
    const known = this.#calls.get(index);
    if (known) return known;
    const call: Call = { id: undefined, name: '', text: '' };
    this.#calls.set(index, call);
    return call;
  }
}

function parseInput(text: string): Record<string, unknown> | null {
  // A tool without parameters is called with nothing at all by several providers.
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
