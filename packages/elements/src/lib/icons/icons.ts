import { html, type TemplateResult } from 'lit';

/**
 * Drawn on a grid of 24, in strokes of the text's colour or `solid` in it, hidden from assistive
 * technology.
 */
export const icon = (path: string, look = ''): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" class=${look}><path d=${path} /></svg>`;

/** Those of what a conversation begins with. */
export const icons = {
  send: icon('M12 19V5.5M6 11l6-6 6 6'),
  stop: icon('M9 7h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2z', 'solid'),
  compose: icon(
    'M11.5 5H7a2.5 2.5 0 0 0-2.5 2.5V17A2.5 2.5 0 0 0 7 19.5h9.5A2.5 2.5 0 0 0 19 17v-4.5M10 14l.7-2.7 7.6-7.6a1.414 1.414 0 0 1 2 2l-7.6 7.6z',
  ),
  close: icon('m6.5 6.5 11 11M17.5 6.5l-11 11'),
  chevron: icon('m8 10 4 4 4-4'),
  down: icon('M12 5v13.5M6 13l6 6 6-6'),
  retry: icon('M19 12a7 7 0 1 1-2.2-5.1L19 9M19 4.5V9h-4.5'),
  alert: icon('M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8.5v4M12 15.6v.01'),
  attach: icon(
    'm18.5 11.5-6.6 6.6a4.2 4.2 0 0 1-6-6l7-7a2.8 2.8 0 0 1 4 4l-7 7a1.4 1.4 0 0 1-2-2l6.4-6.4',
  ),
  microphone: icon(
    'M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6 11.5a6 6 0 0 0 12 0M12 17.5V20',
  ),
  more: icon(
    'M4.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM10.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM16.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0z',
    'solid',
  ),
  threads: icon('M5 7h14M5 12h14M5 17h9'),
  chat: icon(
    'M12 4.5c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1 0-1.9-.1-2.8-.4-1 .7-2.7 1.4-4.7 1.4.9-.9 1.4-1.9 1.5-3-1.6-1.2-2.5-3-2.5-5 0-3.9 3.8-7 8.5-7z',
  ),
  spark: icon(
    'M12 3.5c.6 4.7 3.3 7.7 8 8.5-4.7.8-7.4 3.8-8 8.5-.6-4.7-3.3-7.7-8-8.5 4.7-.8 7.4-3.8 8-8.5z',
    'solid',
  ),
} as const;
