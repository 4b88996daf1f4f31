import { css } from 'lit';
import { token } from '../../theme/tokens.ts';

/** Styles of rare inline elements, alerts, details and buttons. */
export const rareTextStyles = css`
  mark {
    border-radius: calc(${token('radius-small')} / 2);
    background: color-mix(in srgb, ${token('color-warning')} 28%, transparent);
    color: inherit;
  }

  kbd {
    padding: 0.05em 0.4em;
    border: 1px solid ${token('color-border-strong')};
    border-block-end-width: 2px;
    border-radius: ${token('radius-small')};
    font-family: ${token('font-family-mono')};
    font-size: 0.85em;
    white-space: nowrap;
    unicode-bidi: isolate;
  }

  :is(sub, sup) {
    font-size: 0.75em;
    line-height: 0;
  }

  blockquote.alert {
    --alert: ${token('color-accent-text')};
    border-inline-start-color: var(--alert);
    color: inherit;
  }

  .alert.tip {
    --alert: ${token('color-success')};
  }

  .alert.warning {
    --alert: ${token('color-warning')};
  }

  .alert.caution {
    --alert: ${token('color-danger')};
  }

  .alert-title {
    margin-block-end: ${token('space-1')};
    color: var(--alert);
    font-size: ${token('font-size-small')};
    font-weight: ${token('font-weight-strong')};
    unicode-bidi: normal;
  }

  details {
    padding: ${token('space-2')} ${token('space-3')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
  }

  summary {
    min-block-size: 24px;
    cursor: pointer;
    font-weight: ${token('font-weight-strong')};
    unicode-bidi: plaintext;
  }

  [dir='rtl'] > summary {
    unicode-bidi: isolate;
  }

  details[open] > summary {
    margin-block-end: ${token('space-2')};
  }

  @media (pointer: coarse) {
    details {
      padding-block-start: 0;
    }

    details:not([open]) {
      padding-block-end: 0;
    }

    summary {
      min-block-size: 44px;
      padding-block: 10px;
    }
  }

  button {
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
    touch-action: manipulation;
    transition: background-color ${token('duration-fast')} ${token('easing')};
  }
`;
