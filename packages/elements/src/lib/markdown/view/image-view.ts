import { format } from '../../i18n/format.ts';
import { readImageAddress } from '../../untrusted-text.ts';
import type { Inline } from '../syntax/inlines.ts';
import { create } from './dom.ts';
import type { RenderOptions } from './render-options.ts';

/**
 * An agent that was tricked could send what it knows to anyone through the address of a picture. So a
 * picture is loaded only from an origin that the host page names. Any other is a button that says
 * where it would come from, and loads this one picture when the user wants it.
 */
export function createImage(node: Inline, options: RenderOptions): Node | string {
  const { imageOrigins, chosenImages } = options;
  const address = readImageAddress(node.href ?? '', imageOrigins);
  if (!address) return node.text;
  const { href, host, src } = address;
  if (src === undefined && !chosenImages.has(href)) return createChip(node, href, host, options);
  const image = createPicture(node);
  image.loading = 'lazy';
  load(image, href);
  return image;
}

function createPicture({ text, title }: Inline): HTMLImageElement {
  return create('img', {
    part: 'image',
    alt: text,
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    ...(title ? { title } : {}),
  });
}

/**
 * Asks without cookies first, as pages with `Cross-Origin-Embedder-Policy: require-corp` demand. A
 * host that does not answer such questions is asked the common way.
 */
function load(image: HTMLImageElement, href: string, onFailure?: () => void): void {
  image.crossOrigin = 'anonymous';
  image.src = href;
  image.addEventListener(
    'error',
    () => {
      if (onFailure) image.addEventListener('error', onFailure, { once: true });
      image.removeAttribute('crossorigin');
      image.src = href;
    },
    { once: true },
  );
}

function createChip(node: Inline, href: string, host: string, options: RenderOptions): HTMLElement {
  const { strings, chosenImages, linkImage } = options;
  const where = create('span', { class: 'host' }, format(strings.loadImage, { host }));
  const alt = node.text ? [create('span', { class: 'alt' }, node.text)] : [];
  const attributes = { part: 'blocked-image', class: 'blocked-image', type: 'button' };
  const chip = create('button', attributes, ...alt, where);

  chip.addEventListener('click', () => {
    if (chip.ariaBusy === 'true') return;
    chip.ariaBusy = 'true';
    where.textContent = format(strings.loadingImage, { host });
    const image = createPicture(node);
    // It takes the chip's place when its size is known: the lines below move once.
    image.addEventListener('load', () => {
      chosenImages.add(href);
      const hasFocus = chip.matches(':focus');
      const link = linkImage?.(image);
      chip.replaceWith(link ?? image);
      if (!hasFocus) return;
      if (!link) image.tabIndex = -1;
      (link ?? image).focus({ preventScroll: true });
    });
    load(image, href, () => {
      chip.ariaBusy = null;
      where.textContent = format(strings.imageFailed, { host });
    });
  });
  return chip;
}
