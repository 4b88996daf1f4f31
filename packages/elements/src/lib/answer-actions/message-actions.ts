import type { AgentEntry, UserEntry } from '@inlay/client';
import { html, nothing, svg } from 'lit';

/** A custom action of the page, shown as a button below messages. */
export interface MessageAction {
  readonly id: string;
  /** Accessible name of the button. */
  readonly label: string;
  /** SVG path data of an icon in a 24 by 24 view box, drawn with strokes. Without it, the label is shown. */
  readonly icon?: string;
  /**
   * Kinds of messages that have the action.
   *
   * @default ['agent']
   */
  readonly on?: readonly ('agent' | 'user')[];
  /** Called when the button is clicked. */
  readonly run: (entry: AgentEntry | UserEntry) => unknown;
}

export function renderMessageActions(
  actions: readonly MessageAction[],
  entry: AgentEntry | UserEntry,
) {
  return actions
    .filter(({ on = ['agent'] }) => on.includes(entry.kind))
    .map(
      ({ id, label, icon, run }) =>
        html`<button
          class=${icon ? 'icon-button' : 'text-button'}
          part="action"
          data-action=${id}
          title=${icon ? label : nothing}
          aria-label=${label}
          @click=${() => run(entry)}
        >
          ${
            icon
              ? html`<svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${icon} />`}</svg>`
              : label
          }
        </button>`,
    );
}
