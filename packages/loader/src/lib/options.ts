import type { GetToken } from '@inlay/client';

/** How the chat of a script tag is set up. Each is a `data-…` attribute or a member of `inlay`. */
export interface LoaderOptions {
  /** The platform's address. Default: where `inlay.js` came from. */
  baseUrl?: string;
  /** `data-publishable-key`: for people who are not signed in. */
  publishableKey?: string;
  /** `data-token-url`: the host backend's token endpoint, for people who are signed in. */
  tokenUrl?: string;
  /** For people who are signed in, where an address is not enough. Only as a member of `inlay`. */
  getToken?: GetToken;
  /** `data-agent`: shown in setup errors; the token or key decides which agent answers. */
  agent?: string;
  /** `data-placement`: `bottom-end` (default) or `bottom-start`. */
  placement?: string;
  /** `data-color-scheme`: `light`, `dark` or `auto` (default). */
  colorScheme?: string;
  /** `data-heading`: the panel's title. Default: the agent's name. */
  heading?: string;
  /** `data-label`: what the bubble is called for a screen reader. Default: `Open chat`. */
  label?: string;
  /** `data-accent`: a CSS colour for the bubble before the chat is there. */
  accent?: string;
}

const names = [
  'baseUrl',
  'publishableKey',
  'tokenUrl',
  'agent',
  'placement',
  'colorScheme',
  'heading',
  'label',
  'accent',
] as const satisfies readonly (keyof LoaderOptions)[];

/** What the script's attributes say. */
export function readOptions(script: HTMLScriptElement): LoaderOptions {
  const options: LoaderOptions = { baseUrl: new URL('.', script.src).href.replace(/\/$/, '') };
  for (const name of names) {
    const value = script.dataset[name];
    if (value) options[name] = value;
  }
  return options;
}
