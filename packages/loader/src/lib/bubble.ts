import type { LoaderOptions } from './options.ts';

/** The stand-in for `<inlay-launcher>` until that is loaded: the same place, size and colour. */
export interface Bubble {
  /** Takes it away. */
  remove(): void;
  /** Shows that the chat is on its way, or could not be loaded. */
  show(state: 'ready' | 'loading' | 'failed'): void;
}

const styles = `
:host{all:initial;display:block!important;position:fixed!important;z-index:var(--inlay-z-index,2147483000);
inset-block-end:max(var(--inlay-launcher-offset-block,20px),env(safe-area-inset-bottom));
inset-inline-end:var(--inlay-launcher-offset-inline,20px)}
:host([data-placement=bottom-start]){inset-inline:var(--inlay-launcher-offset-inline,20px) auto}
button{all:unset;box-sizing:border-box;display:grid;place-items:center;inline-size:56px;
block-size:56px;border-radius:50%;cursor:pointer;color:#fff;
background:var(--inlay-color-accent,var(--accent,#3a5bd9));
box-shadow:0 1px 2px #0003,0 8px 24px #0003;transition:transform .15s ease-out,filter .15s}
button:hover{filter:brightness(1.08)}
button:active{transform:scale(.95)}
button:focus-visible{outline:3px solid var(--inlay-color-accent,var(--accent,#3a5bd9));outline-offset:3px}
svg{inline-size:26px;block-size:26px;fill:none;stroke:currentColor;stroke-width:1.8;
stroke-linecap:round;stroke-linejoin:round}
button[aria-busy=true] svg{animation:pulse 1s ease-in-out infinite alternate}
@keyframes pulse{to{opacity:.35}}
p{all:unset;position:absolute;inset-block-end:68px;inset-inline-end:0;inline-size:max-content;
max-inline-size:240px;padding:8px 12px;border-radius:8px;background:#222;color:#fff;
font:14px/1.4 system-ui,sans-serif}
p:empty{display:none}
:host([data-placement=bottom-start]) p{inset-inline:0 auto}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media(forced-colors:active){button{border:2px solid ButtonText}}
@media print{:host{display:none}}
`;

const svg = 'http://www.w3.org/2000/svg';
const path = 'M21 11.5a8.4 8.4 0 0 1-12.2 7.6L3 21l1.9-5.8A8.5 8.5 0 1 1 21 11.5Z';

/** Draws the bubble. `onIntent` is told when somebody comes near, `onPress` when they press it. */
export function drawBubble(
  options: LoaderOptions,
  onIntent: () => void,
  onPress: () => void,
): Bubble {
  const host = document.createElement('div');
  host.dataset.placement = options.placement ?? 'bottom-end';
  if (options.accent) host.style.setProperty('--accent', options.accent);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];

  const button = document.createElement('button');
  button.type = 'button';
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
