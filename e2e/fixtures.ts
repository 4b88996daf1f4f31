import { test as base, expect } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import { Site } from './site.ts';

interface WorkerFixtures {
  site: Site;
}

interface TestFixtures {
  /** The chat on the demo page `/npm`, for the signed-in user Ada. */
  chat: ChatPage;
  /** Resets the site after the test, and fails the test if a page had an uncaught error. */
  tidy: undefined;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    async ({ playwright: _ }, use) => {
      const site = await Site.start();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],

  tidy: [
    async ({ site, context, playwright }, use, testInfo) => {
      const crashes: string[] = [];
      context.on('weberror', (error) => crashes.push(String(error.error())));

      await use(undefined);

      // After a run on another machine, only its output shows the cause of a failure.
      if (testInfo.status !== testInfo.expectedStatus) {
        for (const page of context.pages()) {
          console.log(`${page.url()}\n${await page.locator('body').ariaSnapshot()}`);
        }
      }
      const request = await playwright.request.newContext();
      await site.server(request, 'running');
      await site.network(request, 'up');
      await site.model(request, 'normal');
      for (const person of ['ada', 'linus'] as const) {
        await site.signIn(request, person);
        await site.control(request, 'unblock');
        await site.forgetConversations(request);
      }
      await request.dispose();
      expect(crashes, 'uncaught errors on the page').toEqual([]);
    },
    { auto: true },
  ],

  chat: async ({ site, page }, use) => {
    await site.signIn(page.request, 'ada');
    await page.goto(`${site.host}/npm`);
    const chat = new ChatPage(page);
    await chat.ready();
    await use(chat);
  },
});

export { expect };
