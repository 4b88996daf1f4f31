/** `inlay.js`, the script tag: draws the bubble, and loads the chat when somebody wants it. */
import { start } from './lib/start.ts';

/** What the chat's file is called, from where `inlay.js` lies. The build sets it. */
declare const launchFile: string;

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  // A script from another origin has no address to import from: it has to name the whole one.
  start(script, () => import(/* @vite-ignore */ new URL(launchFile, script.src).href));
}
