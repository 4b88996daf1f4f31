const guards = new WeakMap<Element, ContentGuard>();

/** Maximum share of the time in which content is rendered again because other code has changed it. */
const maxTimeShare = 0.2;

/**
 * Detects changes of streaming content by other code: page translators that replace text nodes,
 * extensions that wrap words, `normalize()`. The views write to the nodes that they created, so content
 * that other code has changed must be rendered from its source before more text is added.
 */
export class ContentGuard {
  readonly #content: Element;
  readonly #observer = new MutationObserver(() => {
    this.#isDamaged = true;
  });
  #isDamaged = false;
  /** When the content may be rendered from its source again. */
  #nextRepair = 0;

  constructor(content: Element) {
    this.#content = content;
    guards.set(content, this);
  }

  /** Whether other code has changed the content since it was last rendered from its source. */
  get isDamaged(): boolean {
    this.#isDamaged ||= this.#observer.takeRecords().length > 0;
    return this.#isDamaged;
  }

  /**
   * Time until damaged content may be rendered again, in milliseconds. Code that changes each rendering
   * would otherwise keep the page busy.
   */
  get wait(): number {
    return this.isDamaged ? Math.max(0, this.#nextRepair - performance.now()) : 0;
  }

  /** Starts or ends the detection. Complete content may be changed: it can be translated. */
  observe(isStreaming: boolean): void {
    const options = { subtree: true, childList: true, characterData: true };
    if (isStreaming) this.#observer.observe(this.#content, options);
    else this.#observer.disconnect();
  }

  /**
   * Calls `change`, whose changes of the content are not damage.
   *
   * @param repairs - Whether it renders the content from its source.
   */
  change(change: () => void, repairs = false): void {
    const { isDamaged } = this;
    const start = performance.now();
    change();
    this.#observer.takeRecords();
    this.#isDamaged = isDamaged && !repairs;
    if (repairs) {
      const end = performance.now();
      this.#nextRepair = end + (end - start) / maxTimeShare;
    }
  }
}

/** Calls `change`, which changes `node` of rendered content after its text was rendered. */
export function changeContent(node: Element, change: () => void): void {
  const guard = guards.get(node.closest('[part="content"]') ?? node);
  if (guard) guard.change(change);
  else change();
}
