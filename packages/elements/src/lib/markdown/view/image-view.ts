import { format } from '../../i18n/format.ts';
import { readImageAddress } from '../../untrusted-text.ts';
import type { Inline } from '../syntax/inlines.ts';
import { changeContent } from './content-guard.ts';
import { create } from './dom.ts';
import type { RenderOptions } from './render-options.ts';

/**
 * Creates an image, or a button that loads it on click if its origin is not allowed. A prompt injection
 * could make an agent send confidential data to any host by the URL of an image.
 */
export function createImage(node: Inline, options: RenderOptions): Node | string {
  const { imageOrigins, chosenImages } = options;
  const address = readImageAddress(node.href ?? '', imageOrigins);
  if (!address) return node.text;
  const { href, host, src } = address;
  if (src === undefined && !chosenImages.has(href)) return createButton(node, href, host, options);
  const image = createImageElement(node);
  image.loading = 'lazy';
  load(image, href);
  return image;
}

function createImageElement({ text, title }: Inline): HTMLImageElement {
  return create('img', {
    part: 'image',
    alt: text,
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    ...(title ? { title } : {}),
  });
}

/**
 * Loads an image by a CORS request without cookies, which pages with `Cross-Origin-Embedder-Policy:
 * require-corp` need. If that fails, retries without CORS.
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

function createButton(
  node: Inline,
  href: string,
  host: string,
  options: RenderOptions,
): HTMLElement {
  const { strings, chosenImages, linkImage } = options;
  const label = create('span', { class: 'host' }, format(strings.loadImage, { host }));
  const alt = node.text ? [create('span', { class: 'alt' }, node.text)] : [];
  const attributes = { part: 'blocked-image', class: 'blocked-image', type: 'button' };
  const button = create('button', attributes, ...alt, label);

  button.addEventListener('click', () => {
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const show = (text: string) => {
      changeContent(button, () => {
        label.textContent = format(text, { host });
      });
    };
    show(strings.loadingImage);
    const image = createImageElement(node);
    // Replaces the button once the size of the image is known, so that the layout shifts only once.
    image.addEventListener('load', () => {
      chosenImages.add(href);
      const hasFocus = button.matches(':focus');
      const link = linkImage?.(image);
      changeContent(button, () => button.replaceWith(link ?? image));
      if (!hasFocus) return;
      if (!link) image.tabIndex = -1;
      (link ?? image).focus({ preventScroll: true });
    });
    load(image, href, () => {
      button.ariaBusy = null;
      show(strings.imageFailed);
    });
  });
  return button;
}
