/** Number of rows to keep that the user last interacted with. */
const maxTouchedRows = 16;

/** Returns the row that contains a node, across shadow roots. */
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
 * Tracks the rows that must stay rendered when they are scrolled out of view, because they would lose
 * state: focus, selection, expanded details, typed text or loaded content.
 */
export class RetainedRows {
  #touched: string[] = [];

  /** Marks a row that the user interacted with. */
  touch(row: HTMLElement) {
    const key = row.dataset.key ?? '';
    this.#touched = [key, ...this.#touched.filter((other) => other !== key)].slice(
      0,
      maxTouchedRows,
    );
  }

  /** Returns the keys of the rendered rows that must stay. */
  keys(root: ShadowRoot): Set<string> {
    const rows = [...root.querySelectorAll<HTMLElement>('.row')];
    if (rows.length === 0) return new Set(this.#touched);
    const focused = root.activeElement?.closest<HTMLElement>('.row');
    const retained = [...selectedRows(rows, root), ...(focused ? [focused] : [])];
    return new Set([...this.#touched, ...retained.map((row) => row.dataset.key ?? '')]);
  }
}

/** Returns the rows from the start of the selection to its end. */
function selectedRows(rows: HTMLElement[], root: ShadowRoot): HTMLElement[] {
  const [start, end] = selectionEnds(rows, root).map((node) => rowAround(node, root));
  if (!start || !end) return [];
  const places = [rows.indexOf(start), rows.indexOf(end)];
  return rows.slice(Math.min(...places), Math.max(...places) + 1);
}

function selectionEnds(rows: HTMLElement[], root: ShadowRoot): (Node | null)[] {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return [];
  // Cheap check of this shadow root only: usually the selection is in the composer.
  const [startRange] = selection.getComposedRanges?.({ shadowRoots: [root] }) ?? [];
  if (startRange && !rowAround(startRange.startContainer, root)) return [];
  const shadowRoots = rows.flatMap((row) => shadowRootsIn(row));
  // Browsers without `getComposedRanges` expose either the range inside shadow trees or none.
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
