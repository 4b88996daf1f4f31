/**
 * A plugin of web-test-runner with one command, `screenshot`: a PNG of what the page shows, in
 * base64, so that a test can compare pixels. Every engine's page has a `screenshot` method.
 */
export function screenshotCommand() {
  return {
    name: 'screenshot-command',
    async executeCommand({ command, session }) {
      if (command !== 'screenshot') return undefined;
      const picture = await session.browser.getPage(session.id).screenshot();
      return Buffer.from(picture).toString('base64');
    },
  };
}
