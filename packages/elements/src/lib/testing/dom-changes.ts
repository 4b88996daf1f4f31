import { deepAll } from './user.ts';

/** A page script or browser extension that changes the DOM below a root. `pick` returns an integer below a bound. */
export type DomChange = (root: Element | ShadowRoot, pick: (bound: number) => number) => void;

function textsIn(root: Element | ShadowRoot): Text[] {
  const texts: Text[] = [];
  const roots = [
    root,
    ...deepAll(root, '*').flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot] : [])),
  ];
  for (const each of roots) {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  }
  return texts;
}

const inFont = (text: string) => {
  const inner = document.createElement('font');
  inner.append(text.toUpperCase());
  const outer = document.createElement('font');
  outer.append(inner);
  return outer;
};

/** Changes of the DOM by other code, by their names. */
export const domChanges: Readonly<Record<string, DomChange>> = {
  'replaces all texts by <font> elements': (root) => {
    for (const text of textsIn(root)) text.replaceWith(inFont(text.data));
  },
  'replaces a text by a <font> element': (root, pick) => {
    const texts = textsIn(root);
    const text = texts[pick(texts.length)];
    text?.replaceWith(inFont(text.data));
  },
  'wraps a word in <mark>': (root, pick) => {
    const texts = textsIn(root).filter(({ length }) => length > 2);
    const text = texts[pick(texts.length)];
    if (!text) return;
    const word = text.splitText(1 + pick(text.length - 1));
    if (word.length > 3) word.splitText(2);
    const mark = document.createElement('mark');
    word.replaceWith(mark);
    mark.append(word);
  },
  'changes a text': (root, pick) => {
    const texts = textsIn(root);
    const text = texts[pick(texts.length)];
    if (text) text.data = text.data.slice(1).toUpperCase();
  },
  'splits a text': (root, pick) => {
    const texts = textsIn(root);
    const text = texts[pick(texts.length)];
    text?.splitText(pick(text.length + 1));
  },
  'normalizes the texts': (root) => {
    root.normalize();
    for (const { shadowRoot } of deepAll(root, '*')) shadowRoot?.normalize();
  },
  'removes a node': (root, pick) => {
    const nodes = nodesIn(root);
    nodes[pick(nodes.length)]?.remove();
  },
  'moves a node to another place': (root, pick) => {
    const nodes = nodesIn(root);
    const node = nodes[pick(nodes.length)];
    const target = nodes[pick(nodes.length)];
    if (node && target && !node.contains(target)) target.after(node);
  },
  'removes all nodes': (root) => {
    root.replaceChildren();
  },
  'adds an element': (root, pick) => {
    const nodes = nodesIn(root);
    nodes[pick(nodes.length)]?.after(document.createElement('span'));
  },
};

const nodesIn = (root: Element | ShadowRoot): ChildNode[] =>
  [...root.childNodes].flatMap((node) => [node, ...(node instanceof Element ? nodesIn(node) : [])]);
