import type { LoaderOptions } from './options.ts';

/** The stand-in for `<inlay-launcher>` until that is loaded: the same place, size and colour. */
export interface Bubble {
  /** Takes it away. */
  remove(): void;
  /** Shows that the chat is on its way, or could not be loaded. */
  show(state: 'ready' | 'loading' | 'failed'): void;
}

const offset = 'var(--inlay-launcher-offset,20px)';
const size = 'var(--inlay-launcher-size,56px)';
const accent = 'var(--inlay-color-accent,light-dark(#3a53d0,#8fa3ff))';
/** Black or white, whichever reads better on the accent: by its luminance, `y`. */
const dark = 'clamp(0,(0.179 - y)*100000,1)';
const onAccent = `color(from ${accent} xyz-d65 calc(${dark}*0.9505) ${dark} calc(${dark}*1.089))`;

/**
 * The launcher's own look, said once more: its table of tokens and what reads it would be half of
 * what every page loads. A test holds the two against each other.
 */
const styles = `
:host{all:initial;display:block!important;position:fixed!important;visibility:inherit;
z-index:var(--inlay-z-index,2147483000);
inset-block-end:calc(${offset} + env(safe-area-inset-bottom,0px));inset-inline-end:${offset}}
:host([data-placement=bottom-start]){inset-inline:${offset} auto}
button{all:unset;box-sizing:border-box;display:grid;place-items:center;cursor:pointer;
inline-size:${size};block-size:${size};
border-radius:var(--inlay-radius-full,999px);background:${accent};
color:var(--inlay-color-on-accent,${onAccent});
box-shadow:var(--inlay-shadow-panel,0 2px 8px light-dark(rgb(20 22 40/8%),rgb(0 0 0/40%)),0 16px 48px light-dark(rgb(20 22 40/18%),rgb(0 0 0/50%)));
touch-action:manipulation;-webkit-tap-highlight-color:transparent;
transition:background var(--inlay-duration-fast,120ms),
transform var(--inlay-duration-fast,120ms) var(--inlay-easing,cubic-bezier(.2,0,0,1))}
button:hover{transform:translateY(-1px);
background:var(--inlay-color-accent-hover,color-mix(in oklab,${accent} 88%,light-dark(#000,#fff)))}
button:active{transform:scale(.95)}
button:focus-visible{outline:2px solid ${accent};outline-offset:3px}
svg{display:block;inline-size:26px;block-size:26px;fill:none;stroke:currentColor;stroke-width:1.75;
stroke-linecap:round;stroke-linejoin:round}
button[aria-busy=true] svg{animation:pulse 1s ease-in-out 300ms infinite alternate}
@keyframes pulse{to{opacity:.35}}
p{all:unset;position:absolute;inset-block-end:calc(100% + 12px);inset-inline-end:0;
inline-size:max-content;max-inline-size:240px;padding:8px 12px;border-radius:12px;
background:light-dark(#1b1c20,#ececef);color:light-dark(#fff,#17181b);
font:13px/1.45 var(--inlay-font-family,system-ui,sans-serif)}
p:empty{display:none}
:host([data-placement=bottom-start]) p{inset-inline:0 auto}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media(forced-colors:active){button{border:2px solid ButtonBorder}}
@media print{:host{display:none!important}}
`;

const svg = 'http://www.w3.org/2000/svg';
const path =
  'M12 4.5c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1 0-1.9-.1-2.8-.4-1 .7-2.7 1.4-4.7 1.4.9-.9 1.4-1.9 1.5-3-1.6-1.2-2.5-3-2.5-5 0-3.9 3.8-7 8.5-7z';

/** Draws the bubble. `onIntent` is told when somebody comes near, `onPress` when they press it. */
export function drawBubble(
  options: LoaderOptions,
  onIntent: () => void,
  onPress: () => void,
): Bubble {
  const host = document.createElement('div');
  host.dataset.placement = options.placement ?? 'bottom-end';
  if (options.accent) host.style.setProperty('--inlay-color-accent', options.accent);
  const scheme = options.colorScheme ?? 'auto';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];

  const button = document.createElement('button');
  button.type = 'button';
  host.style.colorScheme = scheme === 'auto' ? 'light dark' : scheme;
  button.setAttribute('aria-label', options.label ?? 'Open chat');
  button.setAttribute('aria-haspopup', 'dialog');
  button.setAttribute('aria-expanded', 'false');
  button.append(drawIcon());
  button.addEventListener('pointerenter', onIntent, { once: true });
  button.addEventListener('focus', onIntent, { once: true });
  button.addEventListener('click', onPress);
  const message = document.createElement('p');
  message.setAttribute('role', 'status');
  root.append(button, message);
  const place = () => document.body.append(host);
  // An async script in the head can run before there is a body.
  if (document.body) place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });

  return {
    remove: () => {
      document.removeEventListener('DOMContentLoaded', place);
      host.remove();
    },
    show: (state) => {
      button.setAttribute('aria-busy', String(state === 'loading'));
      message.textContent =
        state === 'failed' ? "The chat can't be loaded just now. Press to try again." : '';
    },
  };
}

function drawIcon(): SVGElement {
  const icon = document.createElementNS(svg, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  return icon;
}
