import type { Strings } from '../i18n/strings.ts';
import { loadElement } from '../lazy-elements.ts';
import type { Picture } from './lightbox.ts';

/**
 * Shows pictures in a modal dialog. Does nothing if its chunk can't be loaded.
 *
 * @param root - Where the dialog is inserted: the shadow root that contains the pictures, whose tokens it inherits.
 * @param index - Index of the picture that is shown first.
 */
export async function openLightbox(
  root: Node,
  pictures: readonly Picture[],
  index: number,
  strings: Strings,
): Promise<void> {
  if (!(await loadElement('inlay-lightbox'))) return;
  const lightbox = document.createElement('inlay-lightbox');
  Object.assign(lightbox, { pictures, index, strings });
  root.appendChild(lightbox);
}
