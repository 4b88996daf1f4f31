import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    background: ${token('color-surface')};
  }

  nav {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-block-size: 0;
  }

  .top {
    display: flex;
    flex-direction: column;
    gap: ${token('space-2')};
    padding: ${token('space-3')};
  }

  /* The icons align with the titles of the conversations. */
  .quiet {
    justify-content: start;
    padding-inline: ${token('space-3')};
  }

  .quiet.new {
    color: ${token('color-text')};
  }

  .new svg,
  .archived svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  input {
    flex: none;
    min-inline-size: 0;
    block-size: 36px;
    margin: 0;
    padding-inline: ${token('space-3')};
    border: 1px solid ${token('color-border-control')};
    border-radius: ${token('radius-full')};
    background: ${token('color-surface')};
    color: ${token('color-text')};
    font: inherit;
    appearance: none;
  }

  input:focus-visible {
    border-color: transparent;
    outline-offset: -1px;
  }

  input::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  .scroller {
    flex: 1;
    min-block-size: 0;
    padding-inline: ${token('space-3')};
    overflow-y: auto;
    overscroll-behavior: contain;
    overflow-anchor: none;
    scrollbar-width: thin;
  }

  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .state {
    padding: ${token('space-6')} ${token('space-4')};
    color: ${token('color-text-muted')};
    text-align: center;
    text-wrap: balance;
  }

  .state p {
    margin: 0 0 ${token('space-3')};
  }

  .archived {
    margin: ${token('space-2')} ${token('space-3')};
  }

  .skeleton {
    display: grid;
    gap: ${token('space-2')};
    padding: ${token('space-1')};
  }

  .skeleton i {
    block-size: 48px;
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-soft')};
    animation: breathe ${token('duration-loop')} ease-in-out infinite;
  }

  @keyframes breathe {
    50% {
      opacity: 0.55;
    }
  }

  @media (pointer: coarse) {
    /* iOS zooms into focused fields with a font size below 16 px. */
    input {
      block-size: ${token('touch-size')};
      font-size: max(16px, 1em);
    }
  }
`;
