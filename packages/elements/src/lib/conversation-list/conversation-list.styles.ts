import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    background: ${token('color-surface')};
    container-type: size;
    transition: opacity ${token('motion-answer')};
  }

  :host([inert]) {
    opacity: 0;
  }

  @starting-style {
    :host {
      opacity: 0;
    }
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

  .search {
    position: relative;
  }

  .search .icon-button {
    position: absolute;
    inset-block: 0;
    inset-inline-end: ${token('space-1')};
    block-size: 100%;
  }

  .search svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  /* Aligned with the icon of the button above. */
  .search > svg {
    position: absolute;
    inset-block: 0;
    inset-inline-start: ${token('space-3')};
    margin-block: auto;
    color: ${token('color-text-muted')};
    pointer-events: none;
  }

  input {
    inline-size: 100%;
    block-size: 36px;
    margin: 0;
    padding-inline: calc(${token('space-3')} + ${token('icon-size-small')} + ${token('space-2')})
      ${token('touch-size')};
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

  ::-webkit-search-cancel-button {
    display: none;
  }

  input::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  .scroller {
    flex: 1;
    min-block-size: 0;
    /* The focus ring of the first row needs the space at the top. */
    padding: ${token('space-1')} ${token('space-3')} 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    overflow-anchor: none;
    /* The height of a heading, which would cover a focused row. */
    scroll-padding-block: 32px ${token('space-1')};
    scrollbar-width: thin;
  }

  h3 {
    position: sticky;
    z-index: 1;
    inset-block-start: 0;
    margin: 0;
    padding: ${token('space-3')} ${token('space-3')} ${token('space-1')};
    background: ${token('color-surface')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
    font-weight: ${token('font-weight-medium')};
  }

  /* Many languages write the names of days in lower case. */
  h3::first-letter {
    text-transform: uppercase;
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

  /* With 400 % zoom or in landscape orientation, the controls are one row of icons, to leave room for the list. */
  @container (block-size <= 320px) {
    nav {
      display: grid;
      grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) auto;
    }

    .scroller {
      grid-area: 2 / 1 / auto / span 2;
    }

    .archived {
      grid-area: 1 / 2;
      margin-inline-start: 0;
      align-self: center;
    }

    .top {
      flex-direction: row;
      align-items: center;
      padding: ${token('space-1')} ${token('space-2')};
    }

    .search {
      flex: 1;
    }

    .quiet {
      gap: 0;
      font-size: 0;
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
