import { createElement } from '../../create-element.ts';
import { lazy } from '../../lazy.ts';
import { changeContent } from '../view/content-guard.ts';

const renderer = lazy(() => import('./render-math.ts'));

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

/**
 * Renders a formula into `element`, which shows its source until the lazy-loaded library is available.
 * If loading fails the source stays; if the formula is invalid it is shown with its delimiters.
 */
export function showFormula(element: Element, formula: Formula): void {
  if (renderer.value) drawFormula(renderer.value.renderMath, element, formula);
  else {
    void renderer.load().then((module) => {
      if (module && element.isConnected) drawFormula(module.renderMath, element, formula);
    });
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
  const content = math?.cloneNode(true) ?? createElement('code', {}, raw);
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
