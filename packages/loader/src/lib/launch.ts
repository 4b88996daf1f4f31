import { defineChat, InlayLauncher } from '@inlay/elements';
import type { Bubble } from './bubble.ts';
import type { LoaderOptions } from './options.ts';

defineChat();

/**
 * Adds the launcher to the page.
 *
 * @param data - Attributes of the script tag, which may include those of other libraries.
 * @param bubble - The bubble that the launcher replaces.
 */
export function launch(
  options: LoaderOptions,
  data: DOMStringMap = {},
  bubble: Bubble | null = null,
): InlayLauncher {
  const launcher = document.createElement('inlay-launcher');
  launcher.style.cssText = bubble?.host.style.cssText ?? '';
  launcher.place = bubble?.place ?? null;
  applyOptions(launcher, options, (name) => name in data);
  // At the bubble's place in the document, which decides which of two launchers moves.
  if (bubble?.host.isConnected) bubble.host.after(launcher);
  else document.body.append(launcher);
  launcher.showTeaser(bubble?.teaser.text);
  removeCopies(launcher);
  return launcher;
}

/** Removes copies of the launcher that are in a new body, because Turbo restores pages from clones. */
function removeCopies(launcher: InlayLauncher): void {
  launcher.dataset.copy = String(Math.random());
  const selector = `inlay-launcher[data-copy='${launcher.dataset.copy}']`;
  new MutationObserver(() => {
    for (const copy of document.querySelectorAll(selector)) if (copy !== launcher) copy.remove();
  }).observe(document.documentElement, { childList: true });
}

/** Changes the given options. Unknown options are reported in the console. */
export function configure(launcher: InlayLauncher, options: LoaderOptions): void {
  applyOptions(launcher, options, () => false);
}

/** @param isForeign - Whether an unknown option may belong to another library. */
function applyOptions(
  launcher: InlayLauncher,
  options: LoaderOptions,
  isForeign: (name: string) => boolean,
): void {
  const { getToken, getChallenge, accent, label, dismiss, failed: _, ...attributes } = options;
  const known = new Set(InlayLauncher.observedAttributes);
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!known.has(attribute)) {
      import('./report-unknown-option.ts').then(
        ({ reportUnknownOption }) => reportUnknownOption(name, known, isForeign(name)),
        () => {},
      );
    } else if (typeof value === 'boolean') launcher.toggleAttribute(attribute, value);
    else if (value != null) launcher.setAttribute(attribute, value);
  }
  // Addresses of the script tag are those of a script, which the launcher does not trust as attributes.
  for (const name of ['baseUrl', 'tokenUrl'] as const) {
    const address = options[name];
    if (address != null) launcher[name] = address;
  }
  if (accent) launcher.style.setProperty('--inlay-color-accent', accent);
  if (label) launcher.strings = { ...launcher.strings, openChat: label };
  if (dismiss) launcher.strings = { ...launcher.strings, dismissTeaser: dismiss };
  if (getToken) launcher.getToken = getToken;
  if (getChallenge) launcher.getChallenge = getChallenge;
}
