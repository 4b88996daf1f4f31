import { createElement } from '../../create-element.ts';
import { externalLink, safeLink, withoutHidden } from '../../untrusted-text.ts';
import { extras } from '../extras.ts';
import { isPlain } from '../needs-extras.ts';
import type { Inline } from '../syntax/inlines.ts';
import type { RenderOptions } from './render-options.ts';

/** A part of rendered inline content: a node, or a string of adjacent text. */
export type Piece = Node | string;

/** Renders the nodes from `first` up to and including `last`, or all of them. */
export function renderInlines(
  first: Inline | undefined,
  options: RenderOptions,
  last?: Inline,
  insideLink = false,
): Piece[] {
  const pieces: Piece[] = [];
  for (let node = first; node; node = node === last ? undefined : node.next) {
    for (const piece of renderInline(node, options, insideLink)) {
      const before = pieces.at(-1);
      if (piece === '') continue;
      if (typeof piece === 'string' && typeof before === 'string') {
        pieces[pieces.length - 1] = before + piece;
      } else pieces.push(piece);
    }
  }
  return pieces;
}

function renderInline(node: Inline, options: RenderOptions, insideLink: boolean): Piece[] {
  switch (node.kind) {
    case 'text':
      return [insideLink ? withoutHidden(node.text) : node.text];
    case 'break':
      return [createElement('br')];
    case 'code':
      return [
        createElement(
          'code',
          { part: 'inline-code' },
          insideLink ? withoutHidden(node.text) : node.text,
        ),
      ];
    case 'image':
    case 'math':
    case 'note':
      return [extras()?.createRareInline(node, options) ?? node.raw ?? node.text];
    case 'link':
      return renderLink(node, options, insideLink);
    default:
      return [
        createElement(node.kind, {}, ...renderInlines(node.first, options, undefined, insideLink)),
      ];
  }
}

function renderLink(node: Inline, options: RenderOptions, insideLink: boolean): Piece[] {
  const href = insideLink ? undefined : safeLink(node.href ?? '');
  if (href === undefined) return renderInlines(node.first, options, undefined, true);
  const link = (...content: Piece[]) => createLink(node, href, content);
  const content = renderInlines(node.first, { ...options, linkImage: link }, undefined, true);

  // Buttons of images and footnotes are outside of the link, so that they don't open it.
  const pieces: Piece[] = [];
  let linked: Piece[] = [];
  for (const piece of [...content, undefined]) {
    const isButton = piece instanceof Element && containsButton(piece);
    if (piece !== undefined && !isButton) linked.push(piece);
    else {
      if (linked.length > 0) pieces.push(link(...linked));
      linked = [];
      if (piece !== undefined) pieces.push(piece);
    }
  }
  return pieces;
}

const containsButton = (element: Element) =>
  element.matches('button') || element.querySelector('button') !== null;

/** The text of a link, with line feeds for `<br>`. */
function textIn(node: Node): string {
  if (node instanceof HTMLBRElement) return '\n';
  if (!node.firstChild) return node.textContent ?? '';
  return [...node.childNodes].map(textIn).join('');
}

/** Creates a link. It has no title, because that could contain another address. */
function createLink(node: Inline, href: string, content: readonly Piece[]): HTMLElement {
  const attributes = {
    part: 'link',
    href,
    ...externalLink,
  };
  const link = createElement('a', attributes, ...content);
  // The rendered text of a formula is not known: it could be any address.
  const text = link.querySelector('.math') ? null : textIn(link);
  const url = node.href ?? '';
  const module = extras();
  // Without the extras, which compare text and target, the target is shown if the text may contain
  // another address.
  const unchecked = isPlain(text ?? '') ? undefined : new URL(url).host;
  const target = module ? module.targetToShow(text, url) : unchecked;
  if (target !== undefined) {
    link.append(' ', createElement('span', { class: 'link-host', dir: 'ltr' }, `(${target})`));
  }
  return link;
}
