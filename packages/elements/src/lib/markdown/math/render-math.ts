import temml from 'temml';

// Its types are written for CommonJS, where its one export would be a property.
const { __renderToMathMLTree: toTree } = temml as unknown as typeof temml.default;

/** Elements of MathML Core, and the two older ones that Temml writes. Nothing here can load or link. */
const elements = new Set(
  (
    'math merror menclose mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts mroot ' +
    'mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
);

const attributes = new Set(
  (
    'accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height ' +
    'largeop linethickness lspace mathbackground mathcolor mathvariant maxsize minsize movablelimits notation ' +
    'rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width'
  ).split(' '),
);

const styles =
  /^(?:margin|padding|border|width|height|text-align|math-depth|math-shift|math-style|vertical-align|color|background-color)/;

const classes = /^(?:tml|chr|wbk)-/;

/** Macro definitions are rejected, because they can expand without limit. */
const definition =
  /\\(?:[egx]?def|(?:future)?let|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment|expandafter|csname)(?![a-zA-Z])/;

/** Longest formula, in characters. */
const maxSource = 5_000;

/** Maximum nesting depth and number of elements. */
const maxDepth = 100;
const maxElements = 5_000;

/** Longest length in a formula, in em. */
const maxEms = 30;

/** A node of the tree that Temml makes of a formula. */
interface TreeNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, string | number>>;
  readonly children?: readonly TreeNode[];
}

/**
 * The MathML of a formula in TeX. Throws for what is no formula, is too long or too deep, or wants
 * more than to be shown.
 */
export function renderMath(source: string, display: boolean): Element {
  if (source.length > maxSource || definition.test(source))
    throw new Error('Not shown as a formula');
  const tree: TreeNode = toTree(source, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    maxSize: [maxEms, maxEms * 10],
    maxExpand: 500,
  });
  const left = { elements: maxElements };
  const node = toDom(tree, 0, left);
  if (!(node instanceof Element) || node.localName !== 'math') throw new Error('Not a formula');
  return node;
}

function toDom(tree: TreeNode, depth: number, left: { elements: number }): Node {
  left.elements -= 1;
  if (depth > maxDepth || left.elements < 0) throw new Error('Too large');
  if (tree.type === undefined) {
    if (typeof tree.text === 'string') return new Text(tree.text);
    const fragment = new DocumentFragment();
    for (const child of tree.children ?? []) fragment.append(toDom(child, depth + 1, left));
    return fragment;
  }
  if (!elements.has(tree.type)) throw new Error(`No formula has a ${tree.type}`);
  const element = document.createElementNS('http://www.w3.org/1998/Math/MathML', tree.type);
  for (const [name, value] of Object.entries(tree.attributes ?? {})) {
    if (attributes.has(name)) element.setAttribute(name, checked(String(value)));
  }
  const known = (tree.classes ?? []).filter((name) => classes.test(name));
  if (known.length > 0) element.setAttribute('class', known.join(' '));
  if (element instanceof MathMLElement) setStyles(element, tree.style ?? {});
  for (const child of tree.children ?? []) element.append(toDom(child, depth + 1, left));
  return element;
}

function setStyles(
  element: MathMLElement,
  values: Readonly<Record<string, string | number>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (styles.test(property)) element.style.setProperty(property, checked(String(value)));
  }
}

/** Refuses lengths that reach beyond the formula's own place, and anything but plain values. */
function checked(value: string): string {
  if (/[(\\;]/.test(value) && !/^(?:rgb|calc)\(/.test(value)) throw new Error('Not a plain value');
  for (const [, length] of value.matchAll(/(-?\d*\.?\d+)em/g)) {
    if (Math.abs(Number(length)) > maxEms) throw new Error('Too large');
  }
  return value;
}
