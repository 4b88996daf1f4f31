/** The fields of a logged event that branches depend on. */
export interface BranchEvent {
  readonly type: string;
  readonly id: string;
  readonly parent_id?: unknown;
}

/**
 * The messages of a log as a tree, and the branch that each event belongs to.
 *
 * A message is a child of its `parent_id`; null makes it the root of a branch. If `parent_id` is absent
 * or unknown, the message is a child of the end of the current branch. Events of the agent belong to
 * the message that was the end of the current branch when the model was called.
 */
export class Branches {
  /** The parent of each message; null for the root of a branch. */
  readonly #parents = new Map<string, string | null>();
  /** The message that each event belongs to. Events without an entry belong to all branches. */
  readonly #owners = new Map<string, string | null>();
  /** The message that the current model request answers. */
  #answeredMessage: string | null = null;
  #head: string | null = null;

  constructor(log: readonly BranchEvent[] = []) {
    for (const event of log) this.add(event);
  }

  /** The message at the end of the current branch; null before the first message. */
  get head(): string | null {
    return this.#head;
  }

  /** Whether the log has a message with this id. */
  has(messageId: string): boolean {
    return this.#parents.has(messageId);
  }

  /** The message whose branch an event belongs to; null for events that belong to all branches. */
  ownerOf({ id }: BranchEvent): string | null {
    return this.#owners.get(id) ?? null;
  }

  /** The ids of a message and its ancestors. */
  pathTo(messageId: string | null): ReadonlySet<string> {
    const path = new Set<string>();
    // Terminates because a parent always precedes its child in the log.
    for (let id = messageId; id !== null; id = this.#parents.get(id) ?? null) path.add(id);
    return path;
  }

  /**
   * The message after which the log continues when the user answers a card: the end of the current
   * branch if that branch contains the card; otherwise the end of the newest branch that does.
   */
  endOfBranchWith(card: BranchEvent): string | null {
    const owner = this.ownerOf(card);
    if (owner === null || this.pathTo(this.#head).has(owner)) return this.#head;
    return this.endOf(owner);
  }

  /**
   * The end of the newest branch that contains a message. The log continues there when the user
   * answers a card or call of that branch.
   */
  endOf(messageId: string): string {
    const descendants = new Set([messageId]);
    let end = messageId;
    for (const [id, parent] of this.#parents) {
      if (parent === null || !descendants.has(parent)) continue;
      descendants.add(id);
      end = id;
    }
    return end;
  }

  /** Adds the next event of the log. */
  add(event: BranchEvent): void {
    switch (event.type) {
      case 'user.message':
        this.#parents.set(event.id, this.#parentOf(event));
        this.#head = event.id;
        this.#owners.set(event.id, event.id);
        break;
      case 'user.card_action':
        if (typeof event.parent_id === 'string' && this.has(event.parent_id)) {
          this.#head = event.parent_id;
        }
        this.#owners.set(event.id, this.#head);
        break;
      case 'span.model_request_start':
        this.#answeredMessage = this.#head;
        this.#owners.set(event.id, this.#answeredMessage);
        break;
      case 'span.model_request_end':
      case 'agent.message':
      case 'agent.thinking':
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
      case 'agent.card':
      case 'agent.suggestions':
        this.#owners.set(event.id, this.#answeredMessage ?? this.#head);
        break;
    }
  }

  #parentOf({ parent_id: parent }: BranchEvent): string | null {
    if (parent === null || (typeof parent === 'string' && this.has(parent))) return parent;
    return this.#head;
  }
}

/** The events of the current branch, and those that belong to all branches. */
export function currentBranch<Event extends BranchEvent>(log: readonly Event[]): Event[] {
  const branches = new Branches(log);
  const path = branches.pathTo(branches.head);
  return log.filter((event) => {
    const owner = branches.ownerOf(event);
    return owner === null || path.has(owner);
  });
}
