import { type ItemObject, type newItemId, outputItemId } from './items.ts';
import type { ResponseContext, ResponseObject } from './response-store.ts';

type IdServices = Parameters<typeof newItemId>[0];
type Fields = Record<string, unknown>;

/** The members of a response that the server sets, whatever the upstream returns. */
interface OwnMembers extends ResponseContext {
  readonly id: string;
  readonly isStored: boolean;
  readonly isBackground: boolean;
}

/**
 * Replaces the upstream's ids, and other members, in a response and in the events of its stream
 * (service reference, section 4.13, rule 4).
 */
export class OwnIds {
  readonly #services: IdServices;
  readonly #own: OwnMembers;
  /** Ids of the output items, by index. */
  readonly #items = new Map<number, string>();

  constructor(services: IdServices, own: OwnMembers) {
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
      output: itemsOf(output).map((item, index) => this.#item(item, index)),
    };
  }

  /** Returns an event of a stream as the caller gets it. */
  event(event: Fields): Fields {
    const { response, item, item_id: itemId, output_index: index } = event;
    const changes: Fields = {};
    if (isObject(response)) changes.response = this.response(response);
    if (typeof index === 'number') {
      if (isObject(item)) changes.item = this.#item(item, index);
      if (itemId !== undefined) changes.item_id = this.#items.get(index) ?? itemId;
    }
    return { ...event, ...changes };
  }

  #item(item: Fields, index: number): ItemObject {
    const id = this.#items.get(index) ?? outputItemId(this.#services, item);
    this.#items.set(index, id);
    return { ...item, id };
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function itemsOf(output: unknown): Fields[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}
