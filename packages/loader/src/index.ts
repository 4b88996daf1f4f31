/**
 * `inlay.js`, the script tag: draws the bubble, and loads the chat when somebody wants it.
 *
 * It is a classic script, so nothing may be exported here, and it must not share a module with what
 * it loads: a shared one would live in this file, and loading it again would run it twice.
 */
import { start } from './lib/start.ts';

const script = document.currentScript;
if (script instanceof HTMLScriptElement) start(script);
