import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    container-type: inline-size;
  }

  .banner {
    --tone: ${token('color-text-muted')};
    display: grid;
    grid-template-columns: auto 1fr;
    align-items: center;
    gap: ${token('space-2')} ${token('space-3')};
    margin-block-end: ${token('space-2')};
    padding: ${token('space-3')};
    padding-inline-start: ${token('space-4')};
    border: 1px solid color-mix(in oklab, var(--tone) 30%, transparent);
    border-radius: ${token('radius-large')};
    background: color-mix(in oklab, var(--tone) 6%, ${token('color-surface-raised')});
    font-size: ${token('font-size-small')};
    line-height: 1.45;
    animation: rise ${token('duration')} ${token('easing')} both;
  }

  .warning {
    --tone: ${token('color-warning')};
  }

  .danger {
    --tone: ${token('color-danger')};
  }

  svg {
    color: var(--tone);
  }

  .button svg {
    color: inherit;
    inline-size: 16px;
    block-size: 16px;
  }

  strong,
  .words span {
    display: block;
  }

  strong {
    font-weight: 600;
  }

  .words span {
    color: ${token('color-text-muted')};
    overflow-wrap: anywhere;
  }

  .actions {
    grid-column: 2;
    display: flex;
    flex-wrap: wrap;
    gap: ${token('space-2')};
  }

  @container (inline-size > 480px) {
    .banner {
      grid-template-columns: auto 1fr auto;
    }

    .actions {
      grid-column: 3;
    }
  }

  /* Most refreshes are over before anyone would notice. Only a slow one is worth a word. */
  .refreshing {
    position: absolute;
    inset-block-end: 100%;
    inset-inline: 0;
    inline-size: fit-content;
    margin: 0 auto ${token('space-1')};
    padding: 2px ${token('space-3')};
    border-radius: ${token('radius-full')};
    background: ${token('color-surface-soft')};
    color: ${token('color-text-muted')};
    font-size: 12px;
    visibility: hidden;
    animation: reveal ${token('duration')} 1s forwards;
    pointer-events: none;
  }

  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }

  @keyframes reveal {
    from {
      opacity: 0;
      visibility: visible;
    }
    to {
      opacity: 1;
      visibility: visible;
    }
  }
`;
