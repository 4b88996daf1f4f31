import type { ReactiveController, ReactiveElement } from 'lit';

/** Maximum number of logged removals. The log is empty after each update, unless nothing updates. */
const maxLogged = 1_000;

/** Removals of nodes by other code since the last update of an element. */
let log: MutationRecord[] = [];
const unguarded = new WeakSet<Node>();
const observer = new MutationObserver(logRemovals);

function logRemovals(records: readonly MutationRecord[]): void {
  const removals = records.filter((record) => isRemoval(record) && !isUnguarded(record.target));
  log = [...log, ...removals].slice(-maxLogged);
}

/** Whether a change is a removal, and not the translation of a text. */
function isRemoval({ addedNodes, removedNodes: [first, second] }: MutationRecord): boolean {
  const isText = first instanceof Text && !second && first.data.trim() !== '';
  return first !== undefined && !(isText && addedNodes.length > 0);
}

function isUnguarded(node: Node | null): boolean {
  return node !== null && (unguarded.has(node) || isUnguarded(node.parentNode));
}

/** Inserts removed nodes again, from the last to the first, so that their neighbours are in place. */
function restoreRemoved(): void {
  for (const { target, removedNodes, previousSibling, nextSibling } of log.reverse()) {
    for (const node of removedNodes) {
      const before =
        nextSibling?.parentNode === target
          ? nextSibling
          : previousSibling?.parentNode === target
            ? previousSibling.nextSibling
            : null;
      // Nodes that contain the target now were moved by the same code, and can't be inserted into it.
      if (!node.contains(target)) target.insertBefore(node, before);
    }
  }
  log = [];
}

const guard: ReactiveController = {
  hostUpdate() {
    logRemovals(observer.takeRecords());
    restoreRemoved();
  },
  hostUpdated() {
    observer.takeRecords();
  },
};

/**
 * Guards the shadow trees of all instances of a class against other code, such as browser extensions.
 * Lit writes to the nodes that it created: markers that were removed would make an update throw, or
 * remove what follows. Nodes that other code has removed are inserted again before the next update.
 * Replaced texts stay, so that a page can be translated.
 */
export function guardDom(elementClass: CustomElementConstructor): void {
  const { addInitializer } = elementClass as unknown as typeof ReactiveElement;
  addInitializer?.call(elementClass as unknown as typeof ReactiveElement, (element) => {
    element.addController({
      ...guard,
      hostConnected() {
        observer.observe(element.renderRoot, { childList: true, subtree: true });
      },
    });
  });
}

/** Excludes the content of an element, which is not rendered by Lit. */
export function excludeFromGuard(element: Element): void {
  unguarded.add(element);
}
