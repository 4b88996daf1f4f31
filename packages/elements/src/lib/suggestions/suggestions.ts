import type { StarterPrompt } from '@inlay/protocol';
import { css, html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { base } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';
import { withoutHidden } from '../untrusted-text.ts';

/** One scrollable row. Several rows would leave little room to read. */
const oneRow = css`
  ul {
    flex-wrap: nowrap;
    margin-inline: calc(-1 * ${token('space-3')});
    padding-inline: ${token('space-3')};
    overflow-x: auto;
    overscroll-behavior-x: contain;
    scroll-padding-inline: ${token('space-3')};
    scroll-snap-type: x proximity;
    scrollbar-width: thin;
  }

  li {
    flex: none;
    display: flex;
    max-inline-size: min(85%, 320px);
    scroll-snap-align: start;
  }
`;

/**
 * @summary Follow-up suggestions of the agent.
 *
 * @fires inlay-submit-request - The user chooses a suggestion.
 *
 * @csspart suggestion - A suggestion.
 * @internal
 */
export class InlaySuggestions extends LitElement {
  static override styles = [
    base,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: ${token('space-2')};
        margin: 0 0 ${token('space-2')};
        padding: 0;
        list-style: none;
      }

      li {
        min-inline-size: 0;
      }

      button {
        max-inline-size: 100%;
        min-block-size: ${token('control-size')};
        padding: ${token('space-1')} ${token('space-4')};
        border: 1px solid ${token('color-border-control')};
        border-radius: ${token('radius-large')};
        background: ${token('color-surface-raised')};
        color: ${token('color-accent-text')};
        font-size: ${token('font-size-small')};
        line-height: ${token('line-height')};
        overflow-wrap: anywhere;
        overflow: clip;
        transition:
          background ${token('duration-fast')},
          border-color ${token('duration-fast')};
      }

      @media (hover: hover) {
        button:hover {
          border-color: ${token('color-focus')};
          background: ${token('color-accent-soft')};
        }
      }

      @container (inline-size < 480px) {
        ${oneRow}
      }

      @media (pointer: coarse) {
        ${oneRow}

        ul {
          scrollbar-width: none;
        }

        button {
          min-block-size: ${token('touch-size')};
        }
      }
    `,
  ];

  /** The suggestions. */
  @property({ attribute: false }) prompts: readonly StarterPrompt[] = [];

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override render() {
    return html`<ul aria-label=${this.strings.followUps}>
      ${this.prompts.map(
        ({ label, prompt }) => html`<li>
          <button
            part="suggestion"
            @click=${({ detail }: MouseEvent) =>
              detail !== 2 && emit(this, 'inlay-submit-request', { text: prompt ?? label })}
          >
            <bdi>${withoutHidden(label)}</bdi>
          </button>
        </li>`,
      )}
    </ul>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-suggestions': InlaySuggestions;
  }
}
