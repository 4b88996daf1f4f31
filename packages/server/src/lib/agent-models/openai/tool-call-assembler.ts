import { isObject } from '../../json.ts';
import type { ModelEvent } from '../model.ts';
import { mergeMembers } from './merge-members.ts';
import type { CallFragment } from './read-chunk.ts';

/** Maximum depth of the arguments of a call. Deeper values cannot be serialized as JSON. */
const maximumInputDepth = 64;

interface PartialCall {
  id: string;
  name: string;
  text: string;
  readonly end: JsonObjectEnd;
  /** Members that the server does not know. */
  readonly members: Record<string, unknown>;
}

/**
 * Assembles tool calls from the fragments of a stream. Most providers number the calls by `index`.
 * Some omit the index or use one index for all calls, and send whole calls; some omit the ids, and
 * some repeat the id and the name in each fragment.
 */
export class ToolCallAssembler {
  readonly #calls: PartialCall[] = [];
  /** The last call of each index. */
  readonly #byIndex = new Map<number, PartialCall>();

  /** Number of calls so far. */
  get size(): number {
    return this.#calls.length;
  }

  add(fragment: CallFragment): void {
    const known = this.#knownCall(fragment);
    // Some providers repeat a whole call.
    const isRepeated =
      known?.end.isComplete && fragment.id === known.id && fragment.arguments === known.text;
    if (isRepeated && fragment.id !== '') return;
    const call = known && !isNextCall(known, fragment) ? known : this.#addCall(fragment.index);
    if (call.id === '') call.id = fragment.id;
    // Replaced, not concatenated: some providers repeat the name, but none splits it.
    if (fragment.name !== '') call.name = fragment.name;
    call.text += fragment.arguments;
    call.end.add(fragment.arguments);
    mergeMembers(call.members, fragment.members);
  }

  /** The names and arguments of all calls, for the estimate of the usage. */
  get text(): string {
    return this.#calls.map((call) => call.name + call.text).join('');
  }

  *finish(): Generator<Extract<ModelEvent, { type: 'tool_call' }>> {
    for (const call of this.#named) {
      yield { type: 'tool_call', name: call.name, input: parseInput(call.text) };
    }
  }

  /** The calls of `finish` as the provider sent them, in the same order. */
  get providerCalls(): Record<string, unknown>[] {
    return this.#named.map(({ id, name, text, members }) => {
      const { function: functionMembers, ...others } = members;
      return {
        ...others,
        ...(id !== '' && { id }),
        type: 'function',
        function: {
          ...(isObject(functionMembers) && functionMembers),
          name,
          // Several endpoints reject a request whose arguments are not a JSON object.
          arguments: text.trim() !== '' && parseInput(text) !== null ? text : '{}',
        },
      };
    });
  }

  /** Calls without a name cannot be answered, and are dropped. */
  get #named(): PartialCall[] {
    return this.#calls.filter(({ name }) => name !== '');
  }

  /** The call that a fragment belongs to, unless it starts the next one. */
  #knownCall({ index, id }: CallFragment): PartialCall | undefined {
    if (index !== undefined) return this.#byIndex.get(index);
    const sameId = id === '' ? undefined : this.#calls.find((call) => call.id === id);
    return sameId ?? this.#calls.at(-1);
  }

  #addCall(index: number | undefined): PartialCall {
    const call = { id: '', name: '', text: '', end: new JsonObjectEnd(), members: {} };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/** Whether a fragment starts another call than the one that its index or its id refers to. */
function isNextCall(call: PartialCall, { id, name, arguments: text }: CallFragment): boolean {
  // Some endpoints make a new id for each fragment, but repeat the name only for another call.
  if (id !== '' && call.id !== '' && id !== call.id) return name !== '' || call.end.isComplete;
  if (name === '' || call.name === '') return false;
  if (id === '' && name !== call.name) return true;
  return call.end.isComplete && text.trim() !== '';
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

/** Detects the end of a JSON object that arrives in fragments. Takes linear time in total. */
class JsonObjectEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasStarted = false;

  /** Whether a whole object has arrived. The object is not validated. */
  get isComplete(): boolean {
    return this.#hasStarted && this.#depth === 0;
  }

  add(text: string): void {
    for (const character of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = this.#isInString;
      else if (character === '"') this.#isInString = !this.#isInString;
      else if (!this.#isInString) this.#addOutsideString(character);
    }
  }

  #addOutsideString(character: string): void {
    if (character === '{' || character === '[') {
      this.#hasStarted = true;
      this.#depth += 1;
    } else if (character === '}' || character === ']') {
      this.#depth -= 1;
    }
  }
}
