// Lit's development build, which bundlers select with the condition that selects this file, warns that it is
// a development build. That is no news to the developer of a page that contains the chat.
globalThis.litIssuedWarnings ??= new Set();
globalThis.litIssuedWarnings.add('dev-mode');
