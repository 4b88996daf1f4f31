import { defineChat, InlayLauncher } from '@inlay/elements';
import type { LoaderOptions } from './options.ts';

defineChat();

/** Puts the real launcher into the page. */
export function launch(options: LoaderOptions): InlayLauncher {
  const launcher = document.createElement('inlay-launcher');
  configure(launcher, options);
  document.body.append(launcher);
  return launcher;
}

/** Takes over what is given; what is left out stays. */
export function configure(launcher: InlayLauncher, options: LoaderOptions): void {
  const { getToken, accent, label, dismiss, ...attributes } = options;
  // Whatever the launcher knows; a script tag may have other data of its own.
  const known = new Set(InlayLauncher.observedAttributes);
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!known.has(attribute)) continue;
    if (typeof value === 'boolean') launcher.toggleAttribute(attribute, value);
    else if (value !== undefined) launcher.setAttribute(attribute, value);
  }
  if (accent) launcher.style.setProperty('--inlay-color-accent', accent);
  if (label) launcher.strings = { ...launcher.strings, openChat: label };
  if (dismiss) launcher.strings = { ...launcher.strings, dismissTeaser: dismiss };
  if (getToken) launcher.getToken = getToken;
}
