import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    gap: ${token('space-1')};
  }

  .bubble {
    max-inline-size: min(85%, 576px);
    padding: ${token('space-2')} ${token('space-4')};
    border: calc(1px * ${token('contrast')}) solid ${token('color-border')};
    border-radius: ${token('radius-large')};
    border-bottom-right-radius: calc(${token('radius-small')} / 2);
    background: ${token('color-bubble')};
    color: ${token('color-on-bubble')};
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .files {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: ${token('space-2')};
    max-inline-size: min(85%, 576px);
    margin-block-end: ${token('space-1')};
  }

  /* Reserves approximate space until the element is loaded. */
  inlay-file:not(:defined) {
    display: block;
    inline-size: 160px;
    block-size: ${token('touch-size')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-soft')};
  }

  .queued .bubble,
  .sending .bubble {
    opacity: 0.72;
  }

  /* The actions are beside the bubble, so that they take no space above the answer. */
  .bubble-row {
    display: flex;
    flex-direction: row-reverse;
    align-items: flex-end;
    gap: ${token('space-1')};
    inline-size: 100%;
  }

  .bubble-row.stacked {
    flex-direction: column;
  }

  /* The hidden actions keep their space, so that the text does not wrap differently once it is sent. */
  .bubble-row:not(.sent) inlay-user-actions {
    visibility: hidden;
  }

  /* Not a logical property, because the bubble has the direction of its text. */
  .bubble-row:dir(rtl) .bubble {
    border-bottom-right-radius: ${token('radius-large')};
    border-bottom-left-radius: calc(${token('radius-small')} / 2);
  }

  .delivery {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: ${token('space-1')} ${token('space-2')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .state.failed {
    color: ${token('color-danger')};
  }

  .delivery svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  /* The text of the last button ends where the message ends. */
  .delivery .quiet {
    margin-inline-end: calc(-1 * ${token('space-3')});
  }

  .state {
    display: inline-flex;
    align-items: center;
    gap: ${token('space-1')};
  }

  /* Delayed, so that only slow sending is shown. */
  .delivery.sending {
    animation: appear ${token('duration')} ${token('delay')} both;
  }

  @keyframes appear {
    from {
      opacity: 0;
    }
  }

  :host(:hover) inlay-user-actions {
    --inlay-actions-opacity: 1;
    --inlay-actions-pointer-events: auto;
  }

  @media (forced-colors: active) {
    .bubble {
      border: 1px solid CanvasText;
    }
  }
`;
