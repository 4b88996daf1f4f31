import { html, type TemplateResult } from 'lit';
import { chatPath, closePath, copyPath } from './paths.ts';

/**
 * An icon in the text's colour, hidden from assistive technology.
 *
 * @param path - Path data on a grid of 24 × 24.
 * @param className - `solid` fills the path; the default draws its outline.
 */
export const icon = (path: string, className = ''): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" class=${className}><path d=${path} /></svg>`;

/** The icons of the elements that a chat starts with, and those used by several elements. */
export const icons = {
  send: icon('M12 19V5.5M6 11l6-6 6 6'),
  stop: icon('M8 6h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z', 'solid'),
  compose: icon(
    'M11.5 5H7a2.5 2.5 0 0 0-2.5 2.5V17A2.5 2.5 0 0 0 7 19.5h9.5A2.5 2.5 0 0 0 19 17v-4.5M10 14l.7-2.7 7.6-7.6a1.414 1.414 0 0 1 2 2l-7.6 7.6z',
  ),
  close: icon(closePath),
  chevron: icon('m8 10 4 4 4-4'),
  down: icon('M12 5v13.5M6 13l6 6 6-6'),
  retry: icon('M19 12a7 7 0 1 1-2.2-5.1L19 9M19 4.5V9h-4.5'),
  alert: icon('M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8.5v4M12 15.6v.01'),
  microphone: icon(
    'M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6 11.5a6 6 0 0 0 12 0M12 17.5V20',
  ),
  more: icon(
    'M4.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM10.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM16.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0z',
    'solid',
  ),
  conversations: icon('M5 7h14M5 12h14M5 17h9'),
  chat: icon(chatPath),
  spark: icon(
    'M12 3.5c.6 4.7 3.3 7.7 8 8.5-4.7.8-7.4 3.8-8 8.5-.6-4.7-3.3-7.7-8-8.5 4.7-.8 7.4-3.8 8-8.5z',
    'solid',
  ),
  copy: icon(copyPath),
  check: icon('m5 12.5 4.5 4.5L19 7.5'),
  thumbUp: icon(
    'M7.5 10.5v9M7.5 10.5 11 4a2 2 0 0 1 2.3 2.5l-.8 3h5a2 2 0 0 1 2 2.4l-1.2 6a2 2 0 0 1-2 1.6H5.5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z',
  ),
  thumbDown: icon(
    'M16.5 13.5v-9M16.5 13.5 13 20a2 2 0 0 1-2.3-2.5l.8-3h-5a2 2 0 0 1-2-2.4l1.2-6a2 2 0 0 1 2-1.6h10.8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1z',
  ),
  speaker: icon('M5 9.5v5h3.5L13 18V6L8.5 9.5zM16 9a4.2 4.2 0 0 1 0 6M18.5 6.5a7.8 7.8 0 0 1 0 11'),
  pencil: icon('m5 19 .8-3.6L15.6 5.6a2 2 0 0 1 2.8 2.8L8.6 18.2zM13.5 7.7l2.8 2.8'),
  offline: icon(
    'm4.5 4.5 15 15M8.8 15.5a4.6 4.6 0 0 1 6.4 0M5.8 12.3a9 9 0 0 1 3.7-2.2M13.5 9.9a9 9 0 0 1 4.7 2.4M3 9.2a13 13 0 0 1 3.3-2.1M11 6a13 13 0 0 1 10 3.2M12 18.8v.01',
  ),
  lock: icon(
    'M8 10.5h8a2.5 2.5 0 0 1 2.5 2.5v4a2.5 2.5 0 0 1-2.5 2.5H8A2.5 2.5 0 0 1 5.5 17v-4A2.5 2.5 0 0 1 8 10.5zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  ),
} as const;
