/** How many rows that the user has acted in are kept, the latest ones. */
const remembered = 16;

/** The row that a node is in, through any number of shadow trees. */
function rowAround(node: Node | null, root: ShadowRoot): HTMLElement | null {
  for (let at = node; at; ) {
    const tree = at.getRootNode();
    if (tree === root) {
      const element = at instanceof Element ? at : at.parentElement;
      return element?.closest<HTMLElement>('.row') ?? null;
    }
    at = tree instanceof ShadowRoot ? tree.host : null;
  }
  return null;
}

/**
 * Keeps those rows in the page, wherever the reader goes, that would lose something if they were
 * drawn anew: the focus, the selection, what was unfolded, typed or loaded in them.
 */
export class HeldRows {
  #touched: string[] = [];

  /** The user has done something in this row. */
  touch(row: HTMLElement) {
    const key = row.dataset.key ?? '';
    this.#touched = [key, ...this.#touched.filter((other) => other !== key)].slice(0, remembered);
  }

  /** Of the rows that are in the page, those that have to stay. */
  keys(root: ShadowRoot): Set<string> {
    const rows = [...root.querySelectorAll<HTMLElement>('.row')];
    if (rows.length === 0) return new Set(this.#touched);
    const focused = root.activeElement?.closest<HTMLElement>('.row');
    const held = [...selectedRows(rows, root), ...(focused ? [focused] : [])];
    return new Set([...this.#touched, ...held.map((row) => row.dataset.key ?? '')]);
  }
}

/** The rows from the one in which a selection begins to that in which it ends. */
function selectedRows(rows: HTMLElement[], root: ShadowRoot): HTMLElement[] {
  const [start, end] = selectionEnds(rows, root).map((node) => rowAround(node, root));
  if (!start || !end) return [];
  const places = [rows.indexOf(start), rows.indexOf(end)];
  return rows.slice(Math.min(...places), Math.max(...places) + 1);
}

function selectionEnds(rows: HTMLElement[], root: ShadowRoot): (Node | null)[] {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return [];
  // Asked for this tree alone, which costs nothing: mostly the user is in the composer.
  const [near] = selection.getComposedRanges?.({ shadowRoots: [root] }) ?? [];
  if (near && !rowAround(near.startContainer, root)) return [];
  const shadowRoots = rows.flatMap((row) => shadowRootsIn(row));
  // Browsers that can't look into shadow trees by this either show what is in them, or nothing.
  const [range] = selection.getComposedRanges?.({ shadowRoots }) ?? [];
  if (!range) return [selection.anchorNode, selection.focusNode];
  const isCaret = range.startContainer === range.endContainer && range.collapsed;
  return isCaret ? [] : [range.startContainer, range.endContainer];
}

function shadowRootsIn(root: Element | ShadowRoot): ShadowRoot[] {
  return [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...shadowRootsIn(shadowRoot)] : [],
  );
}
