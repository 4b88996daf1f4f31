/** Inline content: a doubly linked list, because emphasis wraps ranges of it long after they were read. */
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
  /** Index in the source of the end of the node, where reading could start again. */
  end?: number | undefined;
  readonly href?: string | undefined;
  readonly title?: string | undefined;
  /** A formula that stands on a line of its own. */
  readonly display?: boolean | undefined;
  /** A formula with its marks, as it was written. */
  readonly raw?: string | undefined;
  /** A formula whose end has not come yet, with its opening mark. */
  readonly half?: boolean | undefined;
  /** Children of emphasis and links. */
  first?: Inline | undefined;
  next?: Inline | undefined;
  previous?: Inline | undefined;
  /** How deep the children go. */
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

  /** Puts everything between `before` and `after` into `wrapper`, which takes its place. */
  wrap(before: Inline, after: Inline | undefined, wrapper: Inline): void {
    const first = before.next;
    // The mark before the wrapper is part of it: reading can't start between the two.
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

/** How deep a range of nodes goes. */
export function depthBetween(before: Inline, after: Inline | undefined): number {
  let depth = 0;
  for (let node = before.next; node && node !== after; node = node.next) {
    depth = Math.max(depth, node.depth);
  }
  return depth;
}

/** The text of nodes without its marks, as for a picture's description. */
export function plainText(first: Inline | undefined): string {
  let text = '';
  for (let node = first; node; node = node.next) {
    text += node.kind === 'break' ? '\n' : node.text + plainText(node.first);
  }
  return text;
}
