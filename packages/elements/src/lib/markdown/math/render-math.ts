import temml from 'temml';

// The types describe the CommonJS module, in which this export is a property of `default`.
const { __renderToMathMLTree: toTree } = temml as unknown as typeof temml.default;

/**
 * Allowed elements: MathML Core, and older elements that Temml uses. None of them loads a resource or is a
 * link.
 */
const allowedElements = new Set(
  (
    'math merror menclose mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts mroot ' +
    'mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
);

const allowedAttributes = new Set(
  (
    'accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height ' +
    'largeop linethickness lspace mathbackground mathcolor mathvariant maxsize minsize movablelimits notation ' +
    'rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width'
  ).split(' '),
);

const allowedStyles =
  /^(?:margin|padding|border|width|height|text-align|math-depth|math-shift|math-style|vertical-align|color|background-color)/;

const allowedClasses = /^(?:tml|chr|wbk)-/;

/** Macro definitions, which are rejected because they can expand without limit. */
const macroDefinition =
  /\\(?:[egx]?def|(?:future)?let|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment|expandafter|csname)(?![a-zA-Z])/;

/** Maximum length of a formula, in characters. */
const maxSourceLength = 5_000;

/** Maximum nesting depth and number of elements of a formula. */
const maxDepth = 100;
const maxElements = 5_000;

/** Maximum of a CSS length in a formula, in em. */
const maxEms = 30;

/** A node of Temml's tree of a formula. */
interface TreeNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, string | number>>;
  readonly children?: readonly TreeNode[];
}

/**
 * Converts a formula from TeX to MathML.
 *
 * @param display - Whether it is a display formula rather than an inline formula.
 * @throws {Error} If the formula is invalid, too large, or uses commands that are not allowed.
 */
export function renderMath(source: string, display: boolean): Element {
  if (source.length > maxSourceLength || macroDefinition.test(source))
    throw new Error('The formula is too long or defines macros');
  const tree: TreeNode = toTree(source, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    maxSize: [maxEms, maxEms * 10],
    maxExpand: 500,
  });
  const remaining = { elements: maxElements };
  const node = toDom(tree, 0, remaining);
  if (!(node instanceof Element) || node.localName !== 'math') throw new Error('Not a formula');
  return node;
}

function toDom(tree: TreeNode, depth: number, remaining: { elements: number }): Node {
  remaining.elements -= 1;
  if (depth > maxDepth || remaining.elements < 0)
    throw new Error('The formula has too many elements');
  if (tree.type === undefined) {
    if (typeof tree.text === 'string') return new Text(tree.text);
    const fragment = new DocumentFragment();
    for (const child of tree.children ?? []) fragment.append(toDom(child, depth + 1, remaining));
    return fragment;
  }
  if (!allowedElements.has(tree.type)) throw new Error(`The element ${tree.type} is not allowed`);
  const element = document.createElementNS('http://www.w3.org/1998/Math/MathML', tree.type);
  for (const [name, value] of Object.entries(tree.attributes ?? {})) {
    if (allowedAttributes.has(name)) element.setAttribute(name, checkedValue(String(value)));
  }
  const allowed = (tree.classes ?? []).filter((name) => allowedClasses.test(name));
  if (allowed.length > 0) element.setAttribute('class', allowed.join(' '));
  if (element instanceof MathMLElement) setStyles(element, tree.style ?? {});
  for (const child of tree.children ?? []) element.append(toDom(child, depth + 1, remaining));
  return element;
}

function setStyles(
  element: MathMLElement,
  values: Readonly<Record<string, string | number>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (allowedStyles.test(property))
      element.style.setProperty(property, checkedValue(String(value)));
  }
}

/** Returns the value of an attribute or style, or throws if the value is not allowed. */
function checkedValue(value: string): string {
  if (/[(\\;]/.test(value) && !/^(?:rgb|calc)\(/.test(value))
    throw new Error('The formula has a value that is not allowed');
  for (const [, length] of value.matchAll(/(-?\d*\.?\d+)em/g)) {
    if (Math.abs(Number(length)) > maxEms) throw new Error('The formula has too long a length');
  }
  return value;
}
