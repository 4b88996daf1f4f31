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
    max-inline-size: min(85%, 36rem);
    padding: 9px 14px;
    border-radius: ${token('radius-large')};
    border-end-end-radius: 6px;
    background: ${token('color-surface-soft')};
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .files {
    display: block;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .queued .bubble,
  .sending .bubble {
    opacity: 0.72;
  }

  .bubble-row {
    display: flex;
    justify-content: flex-end;
    inline-size: 100%;
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
    inline-size: 16px;
    block-size: 16px;
  }

  .state {
    display: inline-flex;
    align-items: center;
    gap: ${token('space-1')};
  }

  /* Most messages are sent before anyone could read that they are being sent. */
  .delivery.sending {
    animation: appear ${token('duration')} 600ms both;
  }

  @keyframes appear {
    from {
      opacity: 0;
    }
  }

  @media (forced-colors: active) {
    .bubble {
      border: 1px solid CanvasText;
    }
  }
`;
