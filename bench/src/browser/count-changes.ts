/** Number of nodes that an answer added to the page or removed from it. */
export interface Changes {
  all: number;
  /** Changes in settled blocks: blocks that are complete, because another block follows. */
  settled: number;
  /** Nodes of the complete answer. Each of them was added, so that `all` is at least as high. */
  shown: number;
}

/** Runs in the page. Sends a message and counts the changes in all shadow trees of the chat. */
export async function countChanges(): Promise<Changes> {
  const changes: Changes = { all: 0, settled: 0, shown: 0 };
  const settled = new WeakSet<Node>();
  const watched = new WeakSet<Node>();

  const blockOf = (node: Node | null): Node | null => {
    for (let current = node; current; current = current.parentNode) {
      const parent = current.parentNode;
      if (parent instanceof Element && parent.part.contains('content')) return current;
    }
    return null;
  };
  const markSettled = (root: ShadowRoot) => {
    const content =
      root.host.localName === 'inlay-markdown' ? root.querySelector('[part=content]') : null;
    for (const block of content?.children ?? []) if (block.nextElementSibling) settled.add(block);
  };
  const countRecords = (records: MutationRecord[]) => {
    const roots = new Set<ShadowRoot>();
    for (const { target, addedNodes, removedNodes } of records) {
      const size = [...addedNodes, ...removedNodes].reduce((sum, node) => sum + sizeOf(node), 0);
      changes.all += size;
      const block = blockOf(target);
      if (block && settled.has(block)) changes.settled += size;
      for (const node of removedNodes) if (settled.has(node)) changes.settled += sizeOf(node);
      for (const node of addedNodes) watch(node);
      const root = target.getRootNode();
      if (root instanceof ShadowRoot) roots.add(root);
    }
    for (const root of roots) markSettled(root);
  };
  const observer = new MutationObserver(countRecords);
  const sizeOf = (node: Node): number => {
    let size = 1;
    for (const child of node.childNodes) size += sizeOf(child);
    return size;
  };
  function watch(node: Node) {
    if (node instanceof Element && node.shadowRoot && !watched.has(node)) {
      watched.add(node);
      observer.observe(node.shadowRoot, { childList: true, subtree: true });
      // A new element may have rendered before this callback, even its whole content.
      changes.all += sizeOf(node.shadowRoot) - 1;
      markSettled(node.shadowRoot);
      for (const child of node.shadowRoot.childNodes) watch(child);
    }
    for (const child of node.childNodes) watch(child);
  }
  const markdownSize = (root: ParentNode): number => {
    let size = 0;
    for (const { localName, shadowRoot } of root.querySelectorAll('*')) {
      if (!shadowRoot) continue;
      size += localName === 'inlay-markdown' ? sizeOf(shadowRoot) - 1 : markdownSize(shadowRoot);
    }
    return size;
  };
  // Elements that are not defined yet have no shadow tree to observe.
  await customElements.whenDefined('inlay-markdown');
  for (const child of document.body.childNodes) watch(child);
  changes.all = 0;
  await globalThis.benchChat.ask('Tell me all.');
  observer.disconnect();
  changes.shown = markdownSize(document);
  return changes;
}
