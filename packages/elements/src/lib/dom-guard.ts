import type { ReactiveElement } from 'lit';

/** Maximum number of removals in the log, which each update of an element clears. */
const maxLogged = 1_000;

/** Removals of nodes by other code since the last update of an element. */
let log: MutationRecord[] = [];
/** Elements that other code has inserted; of a page translator, with the text in whose place. */
const insertedElements = new WeakMap<Node, Text | undefined>();
const unguarded = new WeakSet<Node>();
/** Created with the first element, because a server has no DOM. */
let observer: MutationObserver | undefined;

/** Reads changes by other code. */
function readChanges(changes: readonly MutationRecord[]): void {
  for (const change of changes) {
    if (isUnguarded(change.target)) continue;
    for (const node of change.addedNodes) {
      if (node instanceof Element && !insertedElements.has(node)) passDataOn(node);
    }
    const [removed] = change.removedNodes;
    const replacement = replacementOf(change);
    if (replacement) insertedElements.set(replacement, removed as Text);
    else if (removed && !insertedElements.has(removed) && log.length < maxLogged) log.push(change);
  }
}

function isUnguarded(node: Node | null): boolean {
  return node !== null && (unguarded.has(node) || isUnguarded(node.parentNode));
}

/** The element with the translation that a page translator inserted in place of a text. */
function replacementOf(change: MutationRecord) {
  const { addedNodes, removedNodes, previousSibling, nextSibling } = change;
  const [text] = removedNodes;
  if (removedNodes.length > 1 || !(text instanceof Text) || !text.data.trim()) return undefined;
  return [...addedNodes, previousSibling, nextSibling].find(
    (node) => node?.textContent?.trim() && insertedElements.has(node),
  );
}

/**
 * Passes the text on that Lit writes to the `data` of an element, because it expects its text node there:
 * to the text that the element has replaced, which replaces it again, or to the text after the element.
 */
function passDataOn(element: Element): void {
  insertedElements.set(element, undefined);
  Object.defineProperty(element, 'data', {
    configurable: true,
    set(data: string) {
      const replaced = insertedElements.get(element);
      const text = replaced ?? element.nextSibling;
      if (text) (text as Text).data = data;
      if (replaced) element.replaceWith(replaced);
    },
  });
}

/** Inserts removed nodes again, from the last to the first, so that their neighbours are in place. */
function restoreRemoved(): void {
  for (const { target, removedNodes, previousSibling, nextSibling } of log.reverse()) {
    let before = nextSibling;
    if (before?.parentNode !== target) {
      before = previousSibling?.parentNode === target ? previousSibling.nextSibling : null;
    }
    // A node that contains the target now can't be inserted into it.
    for (const node of removedNodes) {
      insertedElements.delete(node);
      if (!node.contains(target)) target.insertBefore(node, before);
    }
  }
  log = [];
}

/**
 * Guards the shadow trees of all elements of a class against other code, such as browser extensions. Lit
 * writes to the nodes that it created: without its markers, an update would throw or remove what follows
 * them. Nodes that other code has removed are inserted again before the next update of any element.
 * Replaced texts stay until Lit writes to them, so that the page can be translated.
 */
export function guardDom(elementClass: CustomElementConstructor): void {
  (elementClass as unknown as typeof ReactiveElement).addInitializer((element) => {
    observer ??= new MutationObserver(readChanges);
    const changes = observer;
    element.addController({
      hostConnected() {
        changes.observe(element.renderRoot, { childList: true, subtree: true });
      },
      hostUpdate() {
        readChanges(changes.takeRecords());
        restoreRemoved();
      },
      hostUpdated() {
        changes.takeRecords();
      },
    });
  });
}

/** Excludes the content of an element that Lit does not render. */
export function excludeFromGuard(element: Element): void {
  unguarded.add(element);
}
