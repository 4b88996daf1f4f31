import { type Platform, type PlatformOptions, signIn, startPlatform } from '../server/platform.ts';
import type { PageName } from './build-pages.ts';
import { launchBrowser, type MeasuredPage, openPage } from './measured-page.ts';
import { startPageServer } from './page-server.ts';

export interface Stage {
  readonly platform: Platform;
  /** Opens a page as a person who was never here, closes it after `use`. */
  onPage<Result>(options: StagePage, use: (page: MeasuredPage) => Promise<Result>): Promise<Result>;
}

export interface StagePage {
  name: PageName;
  /** Which agent answers. */
  agent?: string;
  /** A token and a session that are there already. */
  visit?: { token: string; session: string };
  /** Whether the page mounts the chat as soon as its script runs. */
  mount?: boolean;
  throttle?: number;
}

/** A browser, a site and a platform, for as long as `use` takes. */
export async function withBrowser<Result>(
  options: PlatformOptions,
  use: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const platform = await startPlatform(options);
  const site = await startPageServer();
  const browser = await launchBrowser();
  let people = 0;
  try {
    return await use({
      platform,
      async onPage({ name, agent, visit: known, ...rest }, run) {
        people += 1;
        const { token } = known ?? (await signIn(platform, `reader-${people}`, agent));
        const setup = { baseUrl: platform.baseUrl, token, session: known?.session ?? null };
        const page = await openPage(browser, { origin: site.origin, name, setup, ...rest });
        try {
          return await run(page);
        } finally {
          await page.close();
        }
      },
    });
  } finally {
    await browser.close();
    site.close();
    await platform.stop();
  }
}
