import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    position: relative;
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    container-type: inline-size;
  }

  /* Fades the content out at the lower edge. */
  :host::after {
    content: '';
    position: absolute;
    inset-block-end: 0;
    inset-inline: 0;
    block-size: 20px;
    background: linear-gradient(to top, ${token('color-surface')}, transparent);
    pointer-events: none;
  }

  .scroller {
    flex: 1;
    min-block-size: 0;
    overflow-x: hidden;
    overflow-y: auto;
    overscroll-behavior: contain;
    /* Keeps focused content clear of the jump button. */
    scroll-padding-block: ${token('space-2')} 52px;
    /* FollowController anchors the scroll position, which not every browser does. */
    overflow-anchor: none;
    /* No transition: ScrollAnimation reads the duration of its scroll animation from this property. */
    transition: none ${token('duration')};
    scrollbar-width: thin;
    scrollbar-color: ${token('color-border-strong')} transparent;
  }

  /* Stops all activity indicators while no run is active. */
  .scroller[aria-busy='false'] {
    --inlay-live-animation: none;
    --inlay-live-display: none;
  }

  .scroller:focus-visible {
    outline-offset: -2px;
  }

  .content {
    /* Space between the content and the edges. */
    --edge: ${token('space-4')};
    display: flex;
    flex-direction: column;
    max-inline-size: ${token('content-size')};
    min-block-size: 100%;
    margin-inline: auto;
  }

  .disclosure {
    margin: 0;
    padding: ${token('space-3')} var(--edge) 0;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    line-height: ${token('line-height')};
    text-align: center;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .empty {
    display: flex;
    flex: 1;
    flex-direction: column;
    justify-content: center;
    /* The spacer follows. */
    margin-block-end: -12px;
    padding: ${token('space-4')} var(--edge) 0;
  }

  /*
   * No content-visibility: when the resize observer scrolls, rows come into view and get another height.
   * Firefox and WebKit report that to the page as "ResizeObserver loop" errors.
   */
  .row {
    position: relative;
    padding: ${token('space-4')} var(--edge) 0;
  }

  /* Space between two turns, in which the actions of an agent message appear. */
  .row:not(.user):has(+ .user) {
    padding-block-end: calc(${token('space-6')} + ${token('space-2')});
  }

  .row:not(.user) + .row.user {
    padding-block-start: 0;
    scroll-margin-block-start: ${token('space-4')};
  }

  /* Indents the agent's entries beside its avatar, if it has one. */
  .row:not(.user),
  .pulse {
    padding-inline-start: calc(
      var(--edge) + ${token('avatar-size')} + min(${token('avatar-size')}, ${token('space-3')})
    );
  }

  .row.agent::after {
    content: '';
    position: absolute;
    inset-block-start: ${token('space-4')};
    inset-inline-start: var(--edge);
    inline-size: ${token('avatar-size')};
    block-size: ${token('avatar-size')};
    border-radius: ${token('avatar-radius')};
    background-image: ${token('avatar-agent')};
    background-position: center;
    background-size: cover;
  }

  /* The steps and results of a run belong to the message above them. */
  .row:not(.user) + .row:is(.card, .notice, .thinking, .tool) {
    padding-block-start: ${token('space-3')};
  }

  /* Groups consecutive messages of the user. */
  .row.user + .row.user {
    padding-block-start: ${token('space-2')};
    scroll-margin-block-start: ${token('space-2')};
  }

  /* The focus ring surrounds the content, without the space above it. */
  .row:focus-visible {
    outline: none;
  }

  .row:focus-visible::before {
    content: '';
    position: absolute;
    inset: ${token('space-2')} calc(var(--edge) - ${token('space-3')}) calc(-1 * ${token('space-2')});
    border-radius: ${token('radius-medium')};
    outline: 2px solid ${token('color-focus')};
    pointer-events: none;
  }

  /* No actions for messages between the steps of a run. Those of a message with cards are below the cards. */
  .row.agent:has(+ :is(.agent, .card, .thinking, .tool)) {
    --inlay-actions-display: none;
  }

  /* Clear of the card's shadow. */
  .row > inlay-answer-actions {
    display: block;
    inset-block-start: ${token('space-1')};
  }

  .row:hover > inlay-answer-actions,
  .row.agent:hover + .row > inlay-answer-actions {
    --inlay-actions-opacity: 1;
    --inlay-actions-pointer-events: auto;
  }

  .row.last,
  .row.agent:has(+ .notice.last) {
    --inlay-actions-opacity: 1;
    --inlay-actions-pointer-events: auto;
    --inlay-actions-position: static;
    --inlay-actions-background: none;
  }

  /* The notice below the message says that the message was interrupted. */
  .row.agent:has(+ .notice) {
    --inlay-ended-display: none;
  }

  /* The spacer at the end. FollowController makes it taller to keep the scroll position. */
  .spacer {
    flex: none;
    min-block-size: ${token('space-6')};
  }

  .day,
  .fresh {
    display: flex;
    align-items: center;
    gap: ${token('space-3')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    line-height: ${token('line-height')};
  }

  .day {
    justify-content: center;
    padding-block: ${token('space-2')} ${token('space-4')};
  }

  .fresh {
    padding-block-end: ${token('space-4')};
    color: ${token('color-accent-text')};
  }

  .fresh::before,
  .fresh::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid ${token('color-border')};
  }

  .pulse {
    display: flex;
    gap: 5px;
    align-items: center;
    min-block-size: 24px;
    margin-block-start: ${token('space-4')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .pulse i {
    inline-size: 7px;
    block-size: 7px;
    border-radius: 50%;
    background: currentcolor;
    animation: pulse ${token('duration-loop')} ease-in-out infinite both;
  }

  .pulse i:nth-child(2) {
    animation-delay: calc(${token('duration-loop')} / 10);
  }

  .pulse i:nth-child(3) {
    margin-inline-end: ${token('space-1')};
    animation-delay: calc(${token('duration-loop')} / 5);
  }

  /* Static dots with enough contrast. */
  @media (prefers-reduced-motion: reduce) {
    .pulse i {
      animation: none;
      opacity: 0.7;
    }
  }

  @keyframes pulse {
    0%,
    70%,
    100% {
      opacity: 0.25;
      transform: scale(0.85);
    }
    35% {
      opacity: 0.9;
      transform: none;
    }
  }

  .skeleton {
    display: grid;
    flex: none;
    gap: ${token('space-3')};
    margin-block-end: ${token('space-4')};
    padding-inline: var(--edge);
  }

  .skeleton i {
    block-size: 14px;
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
    animation: breathe ${token('duration-loop')} ease-in-out infinite;
  }

  .skeleton i:first-of-type {
    justify-self: end;
    inline-size: 45%;
    block-size: 40px;
    margin-block-end: ${token('space-3')};
    border-radius: ${token('radius-large')};
  }

  .skeleton i:last-of-type {
    inline-size: 70%;
  }

  @keyframes breathe {
    50% {
      opacity: 0.5;
    }
  }

  /* The shortcuts hint: the list's accessible description, shown while the list has focus. */
  .keys {
    position: absolute;
    z-index: 1;
    inset-block-start: ${token('space-2')};
    inset-inline: ${token('space-4')};
    inline-size: fit-content;
    margin: 0 auto;
    padding: ${token('space-1')} ${token('space-3')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-raised')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    pointer-events: none;
  }

  .scroller:not(:focus-visible) + .keys {
    visibility: hidden;
  }

  .jump {
    position: absolute;
    z-index: 1;
    inset-block-end: ${token('space-2')};
    inset-inline: 0;
    display: flex;
    align-items: center;
    justify-content: center;
    gap: ${token('space-2')};
    inline-size: fit-content;
    min-inline-size: 36px;
    min-block-size: 36px;
    margin-inline: auto;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-full')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-raised')};
    color: ${token('color-text')};
    font-size: ${token('font-size-small')};
    font-weight: ${token('font-weight-medium')};
    animation: rise ${token('duration')} ${token('easing')} both;
  }

  .jump svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  .jump.new {
    padding-inline: ${token('space-4')} ${token('space-3')};
    border-color: transparent;
    background: ${token('color-accent')};
    color: ${token('color-on-accent')};
  }

  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(8px);
    }
  }

  @container (inline-size > 560px) {
    .content {
      --edge: ${token('space-6')};
    }
  }

  @media print {
    :host,
    .scroller {
      display: block;
      overflow: visible;
    }

    :host::after,
    .jump {
      display: none;
    }
  }

  @media (pointer: coarse) {
    .jump {
      min-inline-size: ${token('touch-size')};
      min-block-size: ${token('touch-size')};
    }
  }

  @media (forced-colors: active) {
    :host::after {
      content: none;
    }

    .pulse i {
      background: CanvasText;
    }
  }
`;
