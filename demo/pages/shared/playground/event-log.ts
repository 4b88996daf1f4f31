import type { InlayEventMap } from '@inlay/elements';
import { onUserChange } from '../account.ts';

const eventNames: Record<keyof InlayEventMap, true> = {
  'inlay-ready': true,
  'inlay-auth-change': true,
  'inlay-message-request': true,
  'inlay-message': true,
  'inlay-answer': true,
  'inlay-error': true,
  'inlay-diagnostic': true,
  'inlay-tool-request': true,
  'inlay-tool': true,
  'inlay-conversation-request': true,
  'inlay-conversation': true,
  'inlay-conversation-load': true,
  'inlay-rating-request': true,
  'inlay-rating': true,
  'inlay-decision-request': true,
  'inlay-decision': true,
  'inlay-link-request': true,
  'inlay-link': true,
  'inlay-copy': true,
  'inlay-card-request': true,
  'inlay-card': true,
  'inlay-export-request': true,
  'inlay-export': true,
  'inlay-delete-request': true,
  'inlay-delete': true,
  'inlay-forget-request': true,
  'inlay-forget': true,
  'inlay-consent-request': true,
  'inlay-consent': true,
  'inlay-command': true,
  'inlay-mode': true,
  'inlay-open-request': true,
  'inlay-close-request': true,
  'inlay-open': true,
  'inlay-close': true,
};

const maxEntries = 100;
const maxLength = 160;

/** Appends all events of the widget to the log. CSS shows the newest event first. */
export function startEventLog(log: HTMLElement): void {
  // The log is cleared when the user changes, because events contain the user's input.
  onUserChange(() => log.replaceChildren());
  for (const name of [...Object.keys(eventNames), 'inlay-load']) {
    window.addEventListener(name, (event) => {
      const detail = name !== 'inlay-load' && event instanceof CustomEvent ? event.detail : {};
      log.append(entry(name, detail));
      if (log.childElementCount > maxEntries) log.firstElementChild?.remove();
    });
  }
}

function entry(name: string, detail: unknown): HTMLElement {
  const text = JSON.stringify(detail) ?? '';
  const detailElement = document.createElement('span');
  detailElement.textContent = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  const item = document.createElement('p');
  item.append(`${name} `, detailElement);
  return item;
}
