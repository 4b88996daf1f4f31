import { css } from 'lit';
import { token } from '../../theme/tokens.ts';

/** Styles of images, footnotes and sources. */
export const referenceStyles = css`
  img {
    display: inline-block;
    max-inline-size: 100%;
    max-block-size: 360px;
    inline-size: auto;
    block-size: auto;
    border-radius: ${token('radius-small')};
    vertical-align: middle;
  }

  .zoom {
    max-inline-size: 100%;
    border-radius: ${token('radius-small')};
    cursor: zoom-in;
  }

  .blocked-image {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    column-gap: ${token('space-2')};
    max-inline-size: 100%;
    min-block-size: 28px;
    margin-block: 2px;
    padding: 3px ${token('space-3')};
    border: 1px dashed ${token('color-border-strong')};
    border-radius: ${token('radius-medium')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    line-height: 20px;
    text-align: start;
    vertical-align: middle;
  }

  .blocked-image::before {
    content: '';
    inline-size: 12px;
    block-size: 10px;
    border: 1.5px solid currentcolor;
    border-radius: calc(${token('radius-small')} / 2);
    background: linear-gradient(
      to top right,
      transparent calc(50% - 0.8px),
      currentcolor calc(50% - 0.8px) calc(50% + 0.8px),
      transparent calc(50% + 0.8px)
    );
  }

  .blocked-image .alt {
    color: ${token('color-text')};
  }

  .blocked-image .host {
    text-decoration: underline;
    text-decoration-color: color-mix(in srgb, currentcolor 40%, transparent);
    text-underline-offset: 3px;
  }

  @media (hover: hover) {
    .blocked-image:hover {
      background: ${token('color-surface-soft')};
    }
  }

  /* Numbers of footnotes and sources in the text, with a larger touch target. */

  sup[part] {
    font-size: inherit;
    line-height: 0;
    vertical-align: baseline;
  }

  .joined {
    white-space: nowrap;
  }

  .mark {
    position: relative;
    inset-block-start: -0.35em;
    min-inline-size: 18px;
    margin-inline-start: 2px;
    padding: 1px ${token('space-1')};
    border-radius: ${token('radius-full')};
    background: ${token('color-surface-soft')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
    font-variant-numeric: tabular-nums;
    line-height: 16px;
    text-align: center;
  }

  .mark::after {
    content: '';
    position: absolute;
    inset: -4px -3px;
  }

  @media (hover: hover) {
    .mark:hover {
      background: ${token('color-accent-soft')};
      color: ${token('color-accent-text')};
    }
  }

  .notes,
  .sources {
    margin-block-start: ${token('space-4')};
    padding-block-start: ${token('space-3')};
    border-block-start: 1px solid ${token('color-border')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    line-height: 20px;
  }

  .notes > ol,
  .sources ol {
    margin: 0;
  }

  .note > div {
    display: contents;
  }

  .note > div > p:last-child {
    display: inline;
  }

  .note-back {
    min-inline-size: 24px;
    min-block-size: 24px;
    padding: 0 ${token('space-1')};
    border-radius: ${token('radius-small')};
    color: ${token('color-accent-text')};
    font-family: ${token('font-family-mono')};
  }

  .sources-title,
  .sources summary {
    margin-block: 0 ${token('space-1')};
    font-weight: ${token('font-weight-strong')};
  }

  .sources summary {
    inline-size: fit-content;
    min-block-size: 24px;
    padding-block: 2px;
    cursor: pointer;
  }

  .host {
    overflow-wrap: anywhere;
  }

  /* The agent's text must not change the direction of the address beside it. */
  .host,
  .alt,
  .source-title,
  :is(.sources li, .source-card) > a {
    unicode-bidi: isolate;
  }

  .sources li > .host::before {
    content: ' · ';
  }

  .source-card {
    position: fixed;
    inset: auto;
    inline-size: max-content;
    max-inline-size: min(320px, calc(100vw - ${token('space-4')}));
    margin: 0;
    padding: ${token('space-3')} ${token('space-4')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-raised')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    line-height: 20px;
    opacity: 0;
    transition: ${token('motion-answer')} allow-discrete;
    transition-property: opacity, display, overlay;
  }

  .source-card:popover-open {
    opacity: 1;
  }

  @starting-style {
    .source-card:popover-open {
      opacity: 0;
    }
  }

  /* A long title must not make the popover cover more of the page. */
  .source-card > :is(a, .source-title) {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: hidden;
    overflow-wrap: anywhere;
    font-weight: ${token('font-weight-strong')};
  }

  .snippet {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    margin-block: ${token('space-1')} 0;
    overflow: hidden;
    color: ${token('color-text')};
  }

  @media (pointer: coarse) {
    /* The negative margin keeps the line height of the text. */
    .note-back {
      min-inline-size: 44px;
      min-block-size: 44px;
      margin: -12px -10px;
    }

    .blocked-image,
    .sources summary {
      min-block-size: 44px;
      padding-block: ${token('space-2')};
    }
  }

  @media (forced-colors: active) {
    .mark {
      border: 1px solid ButtonBorder;
    }
  }
`;
