/** As much of an event as the branches are made of. */
interface TreeEvent {
  readonly type: string;
  readonly id: string;
  readonly parent_id?: unknown;
}

/** The messages of a log as the branches that they make, and where each card stands in them. */
export class Branches {
  /** What each message follows, in the order in which they were said. */
  readonly #parents = new Map<string, string | null>();
  readonly #cards = new Map<string, string | null>();
  #head: string | null = null;
  #answered: string | null = null;

  /** The message at the end of the branch that the log is on; null before the first. */
  get head(): string | null {
    return this.#head;
  }

  has(message: string): boolean {
    return this.#parents.has(message);
  }

  add(event: TreeEvent): void {
    const { type, id, parent_id: parent } = event;
    if (type === 'user.message') {
      this.#parents.set(id, typeof parent === 'string' ? parent : null);
      this.#head = id;
    } else if (type === 'user.card_action' && typeof parent === 'string') {
      this.#head = parent;
    } else if (type === 'span.model_request_start') {
      this.#answered = this.#head;
    } else if (type === 'agent.card') {
      this.#cards.set(id, this.#answered ?? this.#head);
    }
  }

  /** The message whose branch goes on when a card is answered: the end of the log's, if it may be. */
  branchOf(card: string): string | null {
    const owner = this.#cards.get(card);
    if (owner == null || this.pathTo(this.#head).has(owner)) return this.#head;
    return [...this.#parents.keys()].findLast((id) => this.pathTo(id).has(owner)) ?? owner;
  }

  /** A message and all that it follows. */
  pathTo(message: string | null): ReadonlySet<string> {
    const path = new Set<string>();
    for (let at = message; at !== null && !path.has(at); at = this.#parents.get(at) ?? null) {
      path.add(at);
    }
    return path;
  }
}
