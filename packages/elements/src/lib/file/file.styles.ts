import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    display: inline-block;
    max-inline-size: 100%;
    vertical-align: top;
  }

  button {
    display: flex;
    align-items: center;
    gap: ${token('space-2')};
    max-inline-size: 100%;
    min-block-size: ${token('touch-size')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    font-size: ${token('font-size-small')};
    overflow: hidden;
    transition: border-color ${token('duration-fast')};
  }

  .chip {
    padding-block: ${token('space-1')};
    padding-inline: ${token('space-2')} ${token('space-3')};
  }

  /* An image can be smaller than the minimum size of a touch target. */
  .picture {
    justify-content: center;
    min-inline-size: ${token('touch-size')};
  }

  .mark {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 32px;
    block-size: 32px;
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
    color: ${token('color-text-muted')};
  }

  .text {
    display: grid;
    min-inline-size: 0;
    line-height: ${token('line-height-tight')};
  }

  .name {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .note {
    color: ${token('color-text-muted')};
  }

  .failed {
    color: ${token('color-danger')};
  }

  img {
    display: block;
    max-inline-size: min(240px, 60vw);
    max-block-size: 176px;
    object-fit: cover;
  }

  @media (hover: hover) {
    button:hover:not(:disabled) {
      border-color: ${token('color-border-strong')};
    }
  }
`;
