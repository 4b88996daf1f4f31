/** `inlay.js`: draws the bubble, and loads the chat when the user points at, focuses or clicks it. */
import { importFetched } from './lib/import-fetched.ts';
import { type ClearanceModule, type LaunchModule, start } from './lib/start.ts';

/** Path of the chat's entry file, relative to `inlay.js`. Set by the build. */
declare const launchFile: string;
/** Path of the module `keep-clear.ts`, relative to `inlay.js`. Set by the build. */
declare const clearanceFile: string;
/** The value of `styles.ts`. Set by the build. */
declare const bubbleStyles: string;

// A module has no `currentScript`.
const script = document.currentScript ?? document.querySelector('script[src*="inlay.js"]');
// A classic script resolves imports against the page, so the URL has to be absolute.
const load = (folder: string) => importFetched<LaunchModule>(new URL(launchFile, folder).href);
const loadClearance = (folder: string) =>
  import(/* @vite-ignore */ new URL(clearanceFile, folder).href) as Promise<ClearanceModule>;
if (script instanceof HTMLScriptElement) start(script, load, bubbleStyles, loadClearance);
