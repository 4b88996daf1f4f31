/**
 * A Web Test Runner plugin with the command `screenshot`, which returns a screenshot of the viewport
 * as base64-encoded PNG, so that tests can compare pixels. Works in all engines.
 */
export function screenshotCommand() {
  return {
    name: 'screenshot-command',
    async executeCommand({ command, session }) {
      if (command !== 'screenshot') return undefined;
      const screenshot = await session.browser.getPage(session.id).screenshot();
      return Buffer.from(screenshot).toString('base64');
    },
  };
}
