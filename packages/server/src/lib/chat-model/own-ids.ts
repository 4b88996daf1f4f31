import { isUsableId, newItemId, typeOf } from './items.ts';
import type { Context, NewItem, ResponseObject } from './response-store.ts';

type IdServices = Parameters<typeof newItemId>[0];
type Fields = Record<string, unknown>;

/** The members of a response that the server sets, whatever the upstream returns. */
interface Own extends Context {
  readonly id: string;
  readonly isStored: boolean;
  readonly isBackground: boolean;
}

/** Replaces the upstream's ids, and other members, in a response and in the events of its stream. */
export class OwnIds {
  readonly #services: IdServices;
  readonly #own: Own;
  /** Ids of output items that replace the upstream's, by index. */
  readonly #replaced = new Map<number, string>();

  constructor(services: IdServices, own: Own) {
    this.#services = services;
    this.#own = own;
  }

  /** Returns a response as the caller gets it. */
  response(upstream: Fields): ResponseObject {
    const { id, isStored, isBackground, previousResponseId, conversationId } = this.#own;
    const { conversation: _, output, ...response } = upstream;
    return {
      ...response,
      id,
      status: String(response.status ?? 'completed'),
      background: isBackground,
      store: isStored,
      previous_response_id: previousResponseId,
      ...(conversationId !== null && { conversation: { id: conversationId } }),
      output: itemsOf(output).map((item, index) => ({ ...item, id: this.#idOf(item, index) })),
    };
  }

  /** Returns the output items to store. */
  output({ output }: Fields): NewItem[] {
    return itemsOf(output).map((item, index) => ({
      id: this.#idOf(item, index),
      source: 'output',
      item,
    }));
  }

  /** Returns an event of a stream as the caller gets it. */
  event(event: Fields): Fields {
    const { response, item, item_id: itemId, output_index: index } = event;
    const changes: Fields = {};
    if (isObject(response)) changes.response = this.response(response);
    if (typeof index === 'number') {
      if (isObject(item)) changes.item = { ...item, id: this.#idOf(item, index) };
      if (itemId !== undefined) changes.item_id = this.#replaced.get(index) ?? itemId;
    }
    return { ...event, ...changes };
  }

  /** Whether an event may have to be changed, judged by its text, which is faster than parsing it. */
  mayChange(data: string): boolean {
    return this.#replaced.size > 0 || data.includes('"response"') || data.includes('"item"');
  }

  #idOf(item: Fields, index: number): string {
    const replaced = this.#replaced.get(index);
    if (replaced !== undefined) return replaced;
    const type = typeOf(item);
    if (isUsableId(item.id, type)) return item.id;
    const id = newItemId(this.#services, type);
    this.#replaced.set(index, id);
    return id;
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function itemsOf(output: unknown): Fields[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}
