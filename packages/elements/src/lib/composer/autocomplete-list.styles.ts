import { css } from 'lit';
import { token } from '../theme/tokens.ts';

/** Styles of the list of commands and mentions, which the composer adopts with the list. */
export const autocompleteStyles = css`
  .suggestions {
    position: absolute;
    inset-block-end: calc(100% + ${token('space-2')});
    inset-inline: 0;
    z-index: 1;
    max-block-size: min(320px, 50dvb);
    padding: ${token('space-1')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-panel')};
    overflow-y: auto;
    transition: ${token('motion-answer')} allow-discrete;
    transition-property: opacity, translate, display;
  }

  .suggestions[inert] {
    display: none;
    opacity: 0;
    translate: 0 4px;
  }

  @starting-style {
    .suggestions {
      opacity: 0;
      translate: 0 4px;
    }
  }

  [role='option'] {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    column-gap: ${token('space-3')};
    padding: ${token('space-2')} ${token('space-3')};
    border-radius: ${token('radius-small')};
    cursor: pointer;
  }

  [role='option'][aria-selected='true'] {
    background: ${token('color-accent-soft')};
  }

  .label {
    font-weight: ${token('font-weight-medium')};
  }

  .description,
  .searching {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  @media (hover: hover) {
    [role='option']:hover {
      background: ${token('color-surface-soft')};
    }
  }

  @media (pointer: coarse) {
    [role='option'] {
      min-block-size: ${token('touch-size')};
    }
  }

  @media (forced-colors: active) {
    [aria-selected='true'] .description {
      color: inherit;
    }

    [role='option'][aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
