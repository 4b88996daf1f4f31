import type { AgentEntry, UserEntry } from '@inlay/client';
import { html, nothing, svg } from 'lit';

/** Something of the page's own that can be done with a message. Its button stands with ours. */
export interface MessageAction {
  readonly id: string;
  /** What the button is called. */
  readonly label: string;
  /** The path of an SVG on a grid of 24 by 24, drawn in strokes. Without it the label is shown. */
  readonly icon?: string;
  /** Which messages have it. Default: the answers. */
  readonly on?: readonly ('agent' | 'user')[];
  /** Called when the button is pressed. */
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
