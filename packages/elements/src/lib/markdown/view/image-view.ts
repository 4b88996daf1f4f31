import { createElement } from '../../create-element.ts';
import { format } from '../../i18n/format.ts';
import { openLightbox } from '../../lightbox/open-lightbox.ts';
import { readImageAddress } from '../../untrusted-text.ts';
import type { Inline } from '../syntax/inlines.ts';
import { changeContent } from './content-guard.ts';
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
  return options.linkImage ? image : createZoomButton(image, options);
}

/** Creates a button that enlarges an image. The other images of the text can be reached from it. */
function createZoomButton(image: HTMLImageElement, { strings }: RenderOptions): HTMLElement {
  const nameOf = ({ alt }: HTMLImageElement) => alt || strings.image;
  const label = format(strings.openFile, { name: nameOf(image) });
  const attributes = { type: 'button', class: 'zoom', title: label, 'aria-label': label };
  const button = createElement('button', attributes, image);
  button.addEventListener('click', () => {
    const root = button.getRootNode() as ShadowRoot;
    const images = [...root.querySelectorAll<HTMLImageElement>('.zoom > img')];
    const pictures = images.map((each) => ({ src: each.src, name: nameOf(each) }));
    void openLightbox(root, pictures, images.indexOf(image), strings);
  });
  return button;
}

function createImageElement({ text, title }: Inline): HTMLImageElement {
  return createElement('img', {
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
  const label = createElement('span', { class: 'host' }, format(strings.loadImage, { host }));
  const alt = node.text ? [createElement('span', { class: 'alt' }, node.text)] : [];
  const attributes = { part: 'blocked-image', class: 'blocked-image', type: 'button' };
  const button = createElement('button', attributes, ...alt, label);

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
      const shown = linkImage?.(image) ?? createZoomButton(image, options);
      changeContent(button, () => button.replaceWith(shown));
      if (hasFocus) shown.focus({ preventScroll: true });
    });
    load(image, href, () => {
      button.ariaBusy = null;
      show(strings.imageFailed);
    });
  });
  return button;
}
