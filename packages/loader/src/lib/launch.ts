import { defineChat, type InlayLauncher } from '@inlay/elements';
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
  const { getToken, accent, label, agent: _, ...attributes } = options;
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    launcher.setAttribute(attribute, value);
  }
  if (accent) launcher.style.setProperty('--inlay-color-accent', accent);
  if (label) launcher.strings = { ...launcher.strings, openChat: label };
  if (getToken) launcher.getToken = getToken;
}
