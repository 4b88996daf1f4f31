import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    position: relative;
    container-type: inline-size;
  }

  .banner {
    --tone: ${token('color-text-muted')};
    --wash: ${token('color-surface-soft')};
    display: grid;
    grid-template-columns: auto 1fr;
    align-items: start;
    gap: ${token('space-2')} ${token('space-3')};
    margin-block-end: ${token('space-2')};
    padding: ${token('space-3')};
    padding-inline-start: ${token('space-4')};
    border: 1px solid color-mix(in oklab, var(--tone) 30%, transparent);
    border-radius: ${token('radius-large')};
    background: var(--wash);
    font-size: ${token('font-size-small')};
    line-height: ${token('line-height')};
    animation: rise ${token('duration')} ${token('easing')} both;
  }

  /* While it leaves, the box takes no space: it lies above the composer, where it was. */
  [inert] {
    position: absolute;
    inset: auto 0 0;
    display: none;
    opacity: 0;
    translate: 0 6px;
    transition: ${token('motion-leave')} allow-discrete;
    transition-property: opacity, translate, display;
    pointer-events: none;
  }

  .warning {
    --tone: ${token('color-warning')};
    --wash: ${token('color-warning-soft')};
  }

  .danger {
    --tone: ${token('color-danger')};
    --wash: ${token('color-danger-soft')};
  }

  svg {
    color: var(--tone);
  }

  strong,
  .words span {
    display: block;
  }

  strong {
    font-weight: ${token('font-weight-strong')};
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
      align-self: center;
    }
  }

  /* Delayed, so that only a slow refresh is shown. */
  .refreshing {
    position: absolute;
    inset-block-end: 100%;
    inset-inline: 0;
    inline-size: fit-content;
    max-inline-size: 100%;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: center;
    gap: 0 ${token('space-2')};
    margin: 0 auto ${token('space-2')};
    padding: 2px ${token('space-3')};
    border-radius: ${token('radius-full')};
    background: ${token('color-surface-soft')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
    visibility: hidden;
    animation: reveal ${token('duration')} calc(${token('delay')} * 1.6) forwards;
    pointer-events: none;
  }

  .refreshing button {
    min-block-size: 24px;
    padding: 0 ${token('space-1')};
    border: 0;
    border-radius: ${token('radius-full')};
    background: none;
    color: ${token('color-text')};
    font: inherit;
    text-decoration: underline;
    cursor: pointer;
    pointer-events: auto;
  }

  @media (pointer: coarse) {
    .refreshing button {
      min-block-size: ${token('touch-size')};
    }
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
