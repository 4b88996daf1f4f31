import { css } from 'lit';
import { frame } from '../theme/frame.styles.ts';
import { token } from '../theme/tokens.ts';

const chat = css`
  :host {
    block-size: 100%;
    max-block-size: 100dvh;
    min-block-size: min(240px, 100dvh);
    min-inline-size: 0;
  }

  /* InlayChat sets this attribute if the page applies "all: unset" to it. */
  :host([data-unset]) {
    display: block !important;
    block-size: 600px !important;
    max-block-size: 100dvh !important;
  }

  /* Rules of the page, such as "* { line-height: 1 }", set properties of the host that would be inherited. */
  .root {
    all: initial;
    visibility: inherit;
    color-scheme: inherit;
    font-family: inherit;
    font-size: ${token('font-size')};
    line-height: ${token('line-height')};
    position: relative;
    /* Creates a stacking context, so that z-indexes inside the chat don't compete with those of the page. */
    isolation: isolate;
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: inherit;
    max-block-size: inherit;
    background: ${token('color-surface')};
    color: ${token('color-text')};
    text-align: start;
    overflow-wrap: break-word;
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
    container-type: inline-size;
  }

  header {
    display: flex;
    align-items: center;
    gap: ${token('space-2')};
    min-block-size: 56px;
    padding-block: ${token('space-2')};
    /* The icons of the buttons, which have padding, align with the edges of the conversation. */
    padding-inline: ${token('space-4')} calc(${token('space-4')} - 6px);
    border-block-end: 1px solid ${token('color-border')};
    background: ${token('color-surface')};
    color: ${token('color-text')};
  }

  .title {
    flex: 1;
    min-inline-size: 0;
  }

  header h2,
  .description {
    margin: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  header h2 {
    font-size: ${token('font-size')};
    font-weight: ${token('font-weight-strong')};
    letter-spacing: -0.005em;
    line-height: ${token('line-height-tight')};
  }

  .description {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
    line-height: ${token('line-height-tight')};
  }

  header .skeleton {
    inline-size: 96px;
    block-size: 14px;
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
  }

  [aria-expanded='true'] {
    background: ${token('color-surface-soft')};
  }

  .conversations-button:dir(rtl) svg {
    scale: -1 1;
  }

  .icon-button:disabled {
    visibility: hidden;
  }

  inlay-message-list {
    flex: 1;
  }

  /* Until the message list is loaded, its tag has the layout of the loaded element. */
  inlay-message-list:not(:defined) {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    overflow-y: auto;
  }

  inlay-message-list:not(:defined) > * {
    display: block;
    inline-size: 100%;
    max-inline-size: ${token('content-size')};
    margin: auto;
    padding: ${token('space-4')};
  }

  inlay-message-list:not(:defined) > .plain {
    margin-block: 0;
    white-space: pre-line;
  }

  .plain.user {
    text-align: end;
  }

  .plain.user > bdi {
    display: inline-block;
    max-inline-size: 85%;
    padding: ${token('space-2')} ${token('space-4')};
    border-radius: ${token('radius-large')};
    background: ${token('color-bubble')};
    color: ${token('color-on-bubble')};
    text-align: start;
  }

  .foot {
    position: relative;
    inline-size: 100%;
    max-inline-size: ${token('content-size')};
    margin-inline: auto;
    padding-inline: ${token('space-4')};
    padding-block: ${token('space-1')} ${token('space-3')};
  }

  /* Leaves as much room as possible to the messages. An empty conversation shows the disclaimer. */
  :host([data-short]) .conversation:not(.empty) {
    --inlay-short-display: none;
    --inlay-short-size: 0px;
  }

  :host([data-short]) .description {
    display: none;
  }

  :host([data-short]) header {
    min-block-size: 0;
    padding-block: 0;
  }

  :host([data-short]) .foot {
    padding-block-end: ${token('space-1')};
  }

  /* A short chat on a touch screen is above the keyboard: the user is writing. */
  @media (pointer: coarse) {
    :host([data-short]) inlay-suggestions {
      display: none;
    }
  }

  .no-access {
    display: flex;
    flex: 1;
    flex-direction: column;
  }

  .no-access inlay-status {
    margin-block: auto;
  }

  .load-failure {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${token('space-2')};
    inline-size: 100%;
    max-inline-size: ${token('content-size')};
    margin-inline: auto;
    padding: ${token('space-2')} ${token('space-4')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .load-failure > bdi {
    flex: 1;
  }

  .failure {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: ${token('space-2')};
    max-inline-size: 480px;
    margin: auto;
    padding: ${token('space-6')};
  }

  .failure > svg {
    inline-size: 28px;
    block-size: 28px;
    color: ${token('color-text-muted')};
  }

  .failure h3,
  .failure p {
    margin: 0;
  }

  .failure h3 {
    font-size: ${token('font-size-large')};
    font-weight: ${token('font-weight-strong')};
    line-height: ${token('line-height-tight')};
  }

  .failure p {
    color: ${token('color-text-muted')};
    overflow-wrap: anywhere;
  }

  .failure .button {
    margin-block-start: ${token('space-2')};
  }

  @container (inline-size > 560px) {
    inlay-message-list:not(:defined) > * {
      padding-inline: ${token('space-6')};
    }

    .foot {
      padding-inline: ${token('space-6')};
      padding-block-end: ${token('space-4')};
    }

    /*
     * In a wide empty chat, greeting and composer are one block near the middle. The minimum height keeps
     * the composer in place when the greeting is loaded, unless the greeting is taller than the minimum.
     */
    .empty > inlay-message-list {
      flex: 0 1 auto;
    }

    /* In a low window, a box in place of the composer needs the room. */
    @media (height >= 480px) {
      .empty > inlay-message-list {
        min-block-size: min(56%, 100% - 140px);
      }
    }
  }
`;

/** Styles of the panels beside or over the conversation: list of conversations, menu. */
const panels = css`
  .body {
    position: relative;
    display: flex;
    flex: 1;
    min-block-size: 0;
  }

  .conversation {
    position: relative;
    display: flex;
    flex: 1;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }

  inlay-conversation-list {
    position: absolute;
    inset: 0;
    z-index: 2;
  }

  /* Hides the covered conversation from keyboard and screen reader users. */
  @container (inline-size <= 760px) {
    inlay-conversation-list:not([inert]) + .conversation {
      visibility: hidden;
    }

    .list-title + slot {
      display: none;
    }
  }

  .menu-place {
    position: relative;
  }

  inlay-menu {
    position: absolute;
    inset-block-start: calc(100% + ${token('space-1')});
    inset-inline-end: 0;
    z-index: 3;
  }

  @container (inline-size > 760px) {
    inlay-conversation-list {
      position: static;
      flex: none;
      inline-size: 280px;
      border-inline-end: 1px solid ${token('color-border')};
      transition: none;
    }

    .list-title {
      display: none;
    }
  }
`;

/** Styles for printing: the whole conversation, whatever the height of the chat on screen. */
const print = css`
  @media print {
    :host {
      block-size: auto !important;
      max-block-size: none !important;
    }

    .conversation {
      visibility: visible !important;
    }

    .foot,
    inlay-conversation-list {
      display: none;
    }
  }
`;

export const styles = [frame, chat, panels, print];
