import { closePath } from '@inlay/elements/bubble';
import { makeBox, makeButton, makeIcon } from './dom.ts';

/** The message beside the bubble: the teaser or a failure. */
export interface Teaser {
  readonly box: HTMLElement;
  /** Empty while hidden. The box keeps the text meanwhile, so that it can fade out. */
  readonly text: string;
  /** Shows a text, or hides the message if the text is empty. */
  show(text: string): void;
}

/**
 * Creates the teaser with the launcher's markup. The live region always exists, because screen readers
 * announce only changes of existing regions.
 */
export function makeTeaser(dismiss: string, onPress: () => void, onDismiss: () => void): Teaser {
  const box = makeBox('teaser gone');
  box.part = 'teaser';
  const region = makeBox('');
  region.role = 'status';
  const button = makeButton('teaser-text', '', '');
  const close = makeButton('teaser-close', dismiss, makeIcon(closePath));
  button.dir = 'auto';
  button.addEventListener('click', onPress);
  close.addEventListener('click', onDismiss);
  box.append(region);
  const teaser = {
    box,
    text: '',
    show(text: string) {
      teaser.text = text;
      button.inert = close.inert = !text;
      box.classList.toggle('gone', !text);
      if (!text) return;
      button.textContent = text;
      region.append(button);
      box.append(close);
    },
  };
  return teaser;
}
