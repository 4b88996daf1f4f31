import type { LogEvent } from '@inlay/protocol';

/**
 * The messages of a log as a tree, and for each event the message whose branch it belongs to. A
 * message follows its `parent_id`, and without one the message before it in the log. What an agent
 * says belongs to the message that its request answered: the newest one when the model was asked.
 */
export class Branches {
  /** Each message, with the one that it follows; null where it is the first of its branch. */
  readonly #parents = new Map<string, string | null>();
  /** Events of one branch only, by the message that they belong to. The others belong to all. */
  readonly #owners = new Map<LogEvent, string | null>();
  /** The message that a request of the model answers, until the next one. */
  #answered: string | null = null;
  #head: string | null = null;

  constructor(log: readonly LogEvent[]) {
    for (const event of log) this.add(event);
  }

  /** The message at the end of the branch that the log is on; null before the first. */
  get head(): string | null {
    return this.#head;
  }

  has(messageId: string): boolean {
    return this.#parents.has(messageId);
  }

  /** The message whose branch an event belongs to; null for one that belongs to none. */
  ownerOf(event: LogEvent): string | null {
    return this.#owners.get(event) ?? null;
  }

  /** A message and all that it follows. */
  pathTo(messageId: string | null): ReadonlySet<string> {
    const path = new Set<string>();
    // A parent stands before its child in the log, so this comes to an end.
    for (let at = messageId; at !== null; at = this.#parents.get(at) ?? null) path.add(at);
    return path;
  }

  /**
   * The end of the newest branch that goes through a message: where the log goes on when the person
   * answers something that stands there.
   */
  endOf(messageId: string): string {
    const through = new Set([messageId]);
    let end = messageId;
    for (const [id, parent] of this.#parents) {
      if (parent === null || !through.has(parent)) continue;
      through.add(id);
      end = id;
    }
    return end;
  }

  /** The next event of the log. */
  add(event: LogEvent): void {
    switch (event.type) {
      case 'user.message':
        this.#parents.set(event.id, this.#parentOf(event));
        this.#head = event.id;
        this.#owners.set(event, event.id);
        break;
      case 'user.card_action':
        if (event.parent_id != null && this.has(event.parent_id)) this.#head = event.parent_id;
        this.#owners.set(event, this.#head);
        break;
      case 'span.model_request_start':
        this.#answered = this.#head;
        this.#owners.set(event, this.#answered);
        break;
      case 'span.model_request_end':
      case 'agent.message':
      case 'agent.thinking':
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
      case 'agent.card':
      case 'agent.suggestions':
        this.#owners.set(event, this.#answered ?? this.#head);
        break;
    }
  }

  #parentOf(event: LogEvent<'user.message'>): string | null {
    const parent = event.parent_id;
    if (parent === null || (parent !== undefined && this.has(parent))) return parent;
    return this.#head;
  }
}

/** The log without what belongs to other branches than the one that it is on. */
export function currentBranch(log: readonly LogEvent[]): readonly LogEvent[] {
  const branches = new Branches(log);
  const path = branches.pathTo(branches.head);
  return log.filter((event) => {
    const owner = branches.ownerOf(event);
    return owner === null || path.has(owner);
  });
}
