import { format } from '../../i18n/format.ts';
import type { Strings } from '../../i18n/strings.ts';
import { safeLink } from '../safe-url.ts';
import type { Inline } from '../syntax/inlines.ts';
import { create } from './dom.ts';
import { createImage } from './image-view.ts';
import { createFormula } from './math-view.ts';
import type { RenderOptions } from './render-options.ts';

/** DOM for a piece of inline content; neighbouring text comes as one string. */
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
      return [node.text];
    case 'break':
      return [create('br')];
    case 'code':
      return [create('code', { part: 'inline-code' }, node.text)];
    case 'image':
      return [createImage(node, options)];
    case 'math':
      return node.half
        ? [create('code', { class: 'half-math' }, node.text)]
        : [createFormula(node.text, node.display ?? false, options)];
    case 'note':
      return [createNoteMark(node.text, options.strings)];
    case 'link':
      return renderLink(node, options, insideLink);
    default:
      return [create(node.kind, {}, ...renderInlines(node.first, options, undefined, insideLink))];
  }
}

function renderLink(node: Inline, options: RenderOptions, insideLink: boolean): Piece[] {
  const content = renderInlines(node.first, options, undefined, true);
  const href = insideLink ? undefined : safeLink(node.href ?? '');
  if (href === undefined) return content;
  return [
    create(
      'a',
      {
        part: 'link',
        href,
        rel: 'noopener noreferrer nofollow',
        target: '_blank',
        referrerpolicy: 'no-referrer',
        ...(node.title ? { title: node.title } : {}),
      },
      ...content,
    ),
  ];
}

function createNoteMark(number: string, strings: Strings): HTMLElement {
  const label = format(strings.footnote, { number });
  const attributes = { type: 'button', class: 'mark', 'aria-label': label, 'data-note': number };
  return create('sup', { part: 'footnote-mark' }, create('button', attributes, number));
}
