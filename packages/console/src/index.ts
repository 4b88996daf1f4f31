import { InlayConsole } from './lib/console.ts';

customElements.define('inlay-console', InlayConsole);
