import { closePath } from '@inlay/elements/bubble';
import { makeBox, makeButton, makeIcon } from './dom.ts';

/** The message beside the bubble: the teaser or a failure. */
export interface Teaser {
  readonly box: HTMLElement;
  /** Empty while hidden. */
  readonly text: string;
  /** Shows a text, or hides the message if the text is empty. */
  show(text: string): void;
}

/**
 * Creates the teaser with the launcher's markup. The live region always exists, because screen readers
 * announce only changes of existing regions.
 */
export function makeTeaser(dismiss: string, onPress: () => void, onDismiss: () => void): Teaser {
  const box = makeBox('');
  const region = makeBox('');
  region.role = 'status';
  box.append(region);
  const teaser = {
    box,
    text: '',
    show(text: string) {
      teaser.text = text;
      box.className = text && 'teaser';
      box.part = box.className;
      box.replaceChildren(region);
      region.replaceChildren();
      if (!text) return;
      const button = makeButton('teaser-text', '', text);
      button.dir = 'auto';
      const close = makeButton('teaser-close', dismiss, makeIcon(closePath));
      button.addEventListener('click', onPress);
      close.addEventListener('click', onDismiss);
      region.append(button);
      box.append(close);
    },
  };
  return teaser;
}
