import { isObject } from '../json.ts';
import { type ItemObject, type newItemId, outputItemId } from './items.ts';
import type { ResponseContext, ResponseObject } from './response-store.ts';

type IdServices = Parameters<typeof newItemId>[0];
type Fields = Record<string, unknown>;

/** The members of a response that the server replaces. */
interface ReplacedMembers extends ResponseContext {
  readonly id: string;
  readonly isStored: boolean;
  readonly isBackground: boolean;
}

/**
 * Replaces the upstream's ids, and other members, in a response and in the events of its stream
 * (docs/conformance.md, 4.13.4).
 */
export class IdReplacer {
  readonly #services: IdServices;
  readonly #members: ReplacedMembers;
  /** Ids of the output items, by index. */
  readonly #items = new Map<number, string>();

  constructor(services: IdServices, members: ReplacedMembers) {
    this.#services = services;
    this.#members = members;
  }

  /** Returns a response with the server's ids and members. */
  replaceInResponse(upstream: Fields): ResponseObject {
    const { id, isStored, isBackground, previousResponseId, conversationId } = this.#members;
    const { conversation: _, output, ...response } = upstream;
    return {
      ...response,
      id,
      status: String(response.status ?? 'completed'),
      background: isBackground,
      store: isStored,
      previous_response_id: previousResponseId,
      ...(conversationId !== null && { conversation: { id: conversationId } }),
      output: itemsOf(output).map((item, index) => this.#replaceInItem(item, index)),
    };
  }

  /** Returns an event of a stream with the server's ids and members. */
  replaceInEvent(event: Fields): Fields {
    const { response, item, item_id: itemId, output_index: index } = event;
    const changes: Fields = {};
    if (isObject(response)) changes.response = this.replaceInResponse(response);
    if (typeof index === 'number') {
      if (isObject(item)) changes.item = this.#replaceInItem(item, index);
      if (itemId !== undefined) changes.item_id = this.#items.get(index) ?? itemId;
    }
    return { ...event, ...changes };
  }

  #replaceInItem(item: Fields, index: number): ItemObject {
    const id = this.#items.get(index) ?? outputItemId(this.#services, item);
    this.#items.set(index, id);
    return { ...item, id };
  }
}

function itemsOf(output: unknown): Fields[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}
