import { changeContent } from '../view/content-guard.ts';
import { create } from '../view/dom.ts';

type RenderMath = typeof import('./render-math.ts').renderMath;

export interface Formula {
  /** Source in TeX. */
  readonly source: string;
  /** Whether it is a display formula rather than an inline one. */
  readonly display: boolean;
  /** Source with its delimiters, shown if the formula can't be rendered. */
  readonly raw: string;
}

/** Size of the cache of rendered formulas. The end of a streaming text is rendered repeatedly. */
const maxCached = 200;
/** Rendered formulas; null for invalid formulas. */
const cache = new Map<string, Element | null>();

let loadedRenderMath: RenderMath | undefined;
let isLoading = false;
let pendingFormulas: { readonly element: Element; readonly formula: Formula }[] = [];

/**
 * Renders a formula into `element`, which shows its source until the lazy-loaded library is available.
 * If loading fails the source stays; if the formula is invalid it is shown with its delimiters.
 */
export function showFormula(element: Element, formula: Formula): void {
  if (loadedRenderMath) drawFormula(loadedRenderMath, element, formula);
  else {
    pendingFormulas.push({ element, formula });
    if (!isLoading) void loadRenderer();
  }
}

async function loadRenderer(): Promise<void> {
  isLoading = true;
  try {
    ({ renderMath: loadedRenderMath } = await import('./render-math.ts'));
  } catch {
    // The module could not be loaded. The next formula retries.
  }
  const formulas = pendingFormulas;
  pendingFormulas = [];
  isLoading = false;
  if (!loadedRenderMath) return;
  for (const { element, formula } of formulas) {
    if (element.isConnected) drawFormula(loadedRenderMath, element, formula);
  }
}

function drawFormula(
  renderMath: RenderMath,
  element: Element,
  { source, display, raw }: Formula,
): void {
  const key = `${display} ${source}`;
  let math = cache.get(key);
  if (math === undefined) {
    math = orNull(() => renderMath(source, display));
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, math);
  }
  const content = math?.cloneNode(true) ?? create('code', {}, raw);
  changeContent(element, () => element.replaceChildren(content));
}

function orNull(create: () => Element): Element | null {
  try {
    return create();
  } catch {
    // The formula is invalid.
    return null;
  }
}
