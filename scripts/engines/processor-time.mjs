const sessions = new WeakMap();

/**
 * A Web Test Runner plugin with the command `processor-time`, which returns the CPU time of the
 * page's main thread in milliseconds. Unlike elapsed time, it does not depend on other processes.
 * `milliseconds` is `null` in engines that do not report it.
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
