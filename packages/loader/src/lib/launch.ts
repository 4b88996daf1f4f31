import { defineChat, InlayLauncher } from '@inlay/elements';
import type { LoaderOptions } from './options.ts';

defineChat();

/**
 * Puts the real launcher into the page.
 *
 * @param data - What the script tag has: data of its own may be among it, and is no mistake.
 */
export function launch(options: LoaderOptions, data: DOMStringMap = {}): InlayLauncher {
  const launcher = document.createElement('inlay-launcher');
  apply(launcher, options, (name) => name in data);
  document.body.append(launcher);
  return launcher;
}

/** Takes over what is given; what is left out stays. What is no option is named in the console. */
export function configure(launcher: InlayLauncher, options: LoaderOptions): void {
  apply(launcher, options, () => false);
}

function apply(
  launcher: InlayLauncher,
  options: LoaderOptions,
  isOther: (name: string) => boolean,
): void {
  const { getToken, accent, label, dismiss, failed: _, ...attributes } = options;
  const known = new Set(InlayLauncher.observedAttributes);
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!known.has(attribute)) {
      import('./note-unknown.ts').then(
        ({ noteUnknown }) => noteUnknown(name, known, isOther(name)),
        () => {},
      );
    } else if (typeof value === 'boolean') launcher.toggleAttribute(attribute, value);
    else if (value !== undefined) launcher.setAttribute(attribute, value);
  }
  if (accent) launcher.style.setProperty('--inlay-color-accent', accent);
  if (label) launcher.strings = { ...launcher.strings, openChat: label };
  if (dismiss) launcher.strings = { ...launcher.strings, dismissTeaser: dismiss };
  if (getToken) launcher.getToken = getToken;
}
