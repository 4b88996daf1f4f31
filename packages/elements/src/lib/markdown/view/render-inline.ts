import { format } from '../../i18n/format.ts';
import type { Strings } from '../../i18n/strings.ts';
import { readImageAddress, safeLink } from '../safe-url.ts';
import type { Inline } from '../syntax/inlines.ts';
import { create } from './dom.ts';

export interface RenderOptions {
  readonly imageOrigins: readonly string[];
  readonly strings: Strings;
}

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
      return renderImage(node, options);
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

/**
 * An agent that was tricked could send what it knows to anyone through the address of a picture. So a
 * picture is loaded only from an origin that the host page names; of any other only the host is shown.
 */
function renderImage(node: Inline, { imageOrigins, strings }: RenderOptions): Piece[] {
  const address = readImageAddress(node.href ?? '', imageOrigins);
  if (!address) return [node.text];
  if (address.src === undefined) {
    const chip = create('span', { part: 'blocked-image', class: 'blocked-image' });
    chip.append(format(strings.imageBlocked, { host: address.host }));
    return node.text ? [chip, ` ${node.text}`] : [chip];
  }
  const image = create('img', {
    part: 'image',
    alt: node.text,
    loading: 'lazy',
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    ...(node.title ? { title: node.title } : {}),
  });
  image.src = address.src;
  return [image];
}
