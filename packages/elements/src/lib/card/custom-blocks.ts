import type { CardBlock } from '@inlay/protocol';
import type { LitElement, ReactiveController } from 'lit';

/** Context of a custom block of a card. */
export interface CardRendererContext {
  /** Id of the block, the same in every tab and after a reload. */
  readonly id: string;
  /** The Markdown text that is shown without a renderer. */
  readonly text: string;
  /** Aborted when the element was removed. A block that comes into view again is drawn again. */
  readonly signal: AbortSignal;
}

/** Draws a custom block of a card. If it throws, the text of the block is shown. */
export type CardRenderer = (
  data: Readonly<Record<string, unknown>>,
  context: CardRendererContext,
) => HTMLElement;

export type CardRenderers = Readonly<Record<string, CardRenderer>>;

type CustomBlock = Extract<CardBlock, { type: 'custom' }>;

interface Drawing {
  /** The renderer that was called; undefined if there was none. */
  readonly renderer: CardRenderer | undefined;
  /** Name of the slot with the element; null if the text of the block is shown. */
  readonly slot: string | null;
  readonly remove: () => void;
}

/**
 * Draws the custom blocks of a card with the renderers of the page. Their elements are children of the
 * chat or launcher, so that the styles of the page apply, and are forwarded to the card by slots.
 */
export class CustomBlocks implements ReactiveController {
  readonly #card: LitElement;
  readonly #drawings = new Map<CardBlock, Drawing>();

  constructor(card: LitElement) {
    this.#card = card;
    card.addController(this);
  }

  hostConnected() {
    this.#card.requestUpdate();
  }

  hostDisconnected() {
    // An element that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (!this.#card.isConnected) this.#removeAllExcept([]);
    });
  }

  /** Name of the slot with the element of a block; null if its text is to be shown. */
  slotOf(block: CustomBlock): string | null {
    return this.#drawings.get(block)?.slot ?? null;
  }

  /** Draws the blocks that are not drawn yet. A renderer that failed is called again once it is replaced. */
  update(cardId: string, blocks: readonly CardBlock[], renderers: CardRenderers | null): void {
    this.#removeAllExcept(blocks);
    // A disconnected element can still update.
    if (!this.#card.isConnected) return;
    for (const [index, block] of blocks.entries()) {
      if (block.type !== 'custom') continue;
      const { name } = block;
      const renderer = renderers && Object.hasOwn(renderers, name) ? renderers[name] : undefined;
      const drawing = this.#drawings.get(block);
      if (drawing && (drawing.slot || drawing.renderer === renderer)) continue;
      this.#drawings.set(block, this.#draw(block, `${cardId}-${index}`, renderer));
    }
  }

  #draw(
    { name, data, text }: CustomBlock,
    id: string,
    renderer: CardRenderer | undefined,
  ): Drawing {
    const removed = new AbortController();
    try {
      if (!renderer) throw new Error('The property `renderers` of the chat does not have it.');
      const element: unknown = renderer(structuredClone(data), {
        id,
        text,
        signal: removed.signal,
      });
      if (!(element instanceof HTMLElement)) throw new Error('It has to return an HTMLElement.');
      const slot = `block-${id}`;
      const placed = placeInSlot(element, slot, this.#card);
      const remove = () => {
        for (const each of placed) each.remove();
        removed.abort();
      };
      return { renderer, slot, remove };
    } catch (reason) {
      console.error(`inlay: the renderer “${name}” failed, so its text is shown:`, reason);
      return { renderer, slot: null, remove: () => removed.abort() };
    }
  }

  #removeAllExcept(blocks: readonly CardBlock[]) {
    for (const [block, { remove }] of this.#drawings) {
      if (blocks.includes(block)) continue;
      this.#drawings.delete(block);
      remove();
    }
  }
}

/**
 * Places an element in a slot of a card: as a child of the outermost element that has renderers, forwarded
 * by a slot in each element between.
 *
 * @returns The elements that were added.
 */
function placeInSlot(element: HTMLElement, slot: string, card: Element): Element[] {
  const slots: Element[] = [];
  let host = card;
  for (;;) {
    const root = host.getRootNode();
    if (!(root instanceof ShadowRoot && 'renderers' in root.host)) break;
    const forwarding = document.createElement('slot');
    Object.assign(forwarding, { name: slot, slot });
    host.append(forwarding);
    slots.push(forwarding);
    host = root.host;
  }
  element.slot = slot;
  host.append(element);
  return [...slots, element];
}
