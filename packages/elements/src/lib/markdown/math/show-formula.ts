type Render = typeof import('./render-math.ts').renderMath;

export interface Formula {
  /** TeX. */
  readonly source: string;
  /** On a line of its own. */
  readonly display: boolean;
  /** Source with its delimiters, shown if the formula can't be rendered. */
  readonly raw: string;
}

/** Size of the cache of rendered formulas: the end of a streaming text is rendered repeatedly. */
const maxDrawn = 200;
const drawn = new Map<string, Element | null>();

let render: Render | undefined;
let loading = false;
let waiting: { readonly element: Element; readonly formula: Formula }[] = [];

/**
 * Draws a formula in `element`, which shows its source meanwhile. The library is fetched with the
 * first formula. Without the library the source stays; a formula that it can't read is shown as written.
 */
export function showFormula(element: Element, formula: Formula): void {
  if (render) draw(render, element, formula);
  else {
    waiting.push({ element, formula });
    if (!loading) void load();
  }
}

async function load(): Promise<void> {
  loading = true;
  try {
    ({ renderMath: render } = await import('./render-math.ts'));
    for (const { element, formula } of waiting) {
      if (element.isConnected) draw(render, element, formula);
    }
  } catch {
    // The next formula retries.
  }
  waiting = [];
  loading = false;
}

function draw(renderMath: Render, element: Element, { source, display, raw }: Formula): void {
  const key = `${display} ${source}`;
  let math = drawn.get(key);
  if (math === undefined) {
    math = tryTo(() => renderMath(source, display));
    if (drawn.size >= maxDrawn) drawn.clear();
    drawn.set(key, math);
  }
  if (math) element.replaceChildren(math.cloneNode(true));
  else if (element.firstElementChild) element.firstElementChild.textContent = raw;
}

function tryTo(make: () => Element): Element | null {
  try {
    return make();
  } catch {
    return null;
  }
}
