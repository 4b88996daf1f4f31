/** A node of inline content. Nodes are a doubly linked list, because emphasis wraps ranges of them later. */
export interface Inline {
  readonly kind:
    | 'text'
    | 'code'
    | 'em'
    | 'strong'
    | 'del'
    | 'u'
    | 'mark'
    | 'sub'
    | 'sup'
    | 'kbd'
    | 'link'
    | 'image'
    | 'break'
    | 'math'
    | 'note';
  text: string;
  /** Where the node ends in the source; undefined if parsing cannot be resumed there. */
  end?: number | undefined;
  readonly href?: string | undefined;
  readonly title?: string | undefined;
  /** Whether a formula is in display mode. */
  readonly display?: boolean | undefined;
  /** Source of a formula with its delimiters. */
  readonly raw?: string | undefined;
  /** Children of emphasis and links. */
  first?: Inline | undefined;
  next?: Inline | undefined;
  previous?: Inline | undefined;
  /** Nesting depth of the children. */
  depth: number;
}

export class InlineList {
  first: Inline | undefined;
  last: Inline | undefined;

  text(text: string): Inline {
    return this.add({ kind: 'text', text, depth: 0 });
  }

  add(node: Inline): Inline {
    node.previous = this.last;
    if (this.last) this.last.next = node;
    else this.first = node;
    this.last = node;
    return node;
  }

  /** Moves the nodes between `before` and `after` into `wrapper`, and inserts `wrapper` in their place. */
  wrap(before: Inline, after: Inline | undefined, wrapper: Inline): void {
    const first = before.next;
    // `before` is the opening delimiter, after which parsing can't start.
    before.end = undefined;
    before.next = wrapper;
    wrapper.previous = before;
    wrapper.next = after;
    const last = after ? after.previous : this.last;
    if (after) after.previous = wrapper;
    else this.last = wrapper;
    if (!first || first === after || !last) return;
    first.previous = undefined;
    last.next = undefined;
    wrapper.first = first;
  }
}

/** Maximum nesting depth of the nodes between two nodes, or of all nodes after `before`. */
export function depthBetween(before: Inline, after: Inline | undefined): number {
  let depth = 0;
  for (let node = before.next; node && node !== after; node = node.next) {
    depth = Math.max(depth, node.depth);
  }
  return depth;
}

/** The plain text of nodes, as for the alternative text of an image. */
export function plainText(first: Inline | undefined): string {
  let text = '';
  for (let node = first; node; node = node.next) {
    text += node.kind === 'break' ? '\n' : node.text + plainText(node.first);
  }
  return text;
}
