/** Runs in the page. Renders an answer, so that all lazy-loaded Markdown modules are loaded. */
export async function loadMarkdown(): Promise<void> {
  await globalThis.benchChat.mount(globalThis.benchSetup);
  await globalThis.benchChat.ask('Tell me all.');
  globalThis.benchChat.unmount();
  await customElements.whenDefined('inlay-markdown');
}
