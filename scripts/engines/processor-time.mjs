const sessions = new WeakMap();

/**
 * A plugin of web-test-runner with one command, `processor-time`: milliseconds of processor time that
 * the page's main thread has used, which other processes of the machine do not change. In an engine
 * that does not tell, `milliseconds` is `null`.
 */
export function processorTimeCommand() {
  return {
    name: 'processor-time-command',
    async executeCommand({ command, session }) {
      if (command !== 'processor-time') return undefined;
      const page = session.browser.getPage(session.id);
      if (session.browser.type !== 'playwright') return { milliseconds: null };
      if (!sessions.has(page)) sessions.set(page, open(page));
      const cdp = await sessions.get(page);
      const { metrics } = await cdp.send('Performance.getMetrics');
      const seconds = metrics.find(({ name }) => name === 'TaskDuration').value;
      return { milliseconds: seconds * 1000 };
    },
  };
}

async function open(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return cdp;
}
