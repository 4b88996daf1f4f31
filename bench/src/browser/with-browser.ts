import { launchBrowser, type MeasuredPage, openPage, type PageOptions } from './measured-page.ts';
import { startPageServer } from './page-server.ts';
import type { Setup } from './pages/bench-chat.ts';
import { type AnswerSpec, startPreparedPlatform } from './wire/prepared-platform.ts';

/** Timeout for one page. */
const timeoutSeconds = 120;

/** Opens a page in its own browser context, and closes it after `use`. */
export type WithPage = <Result>(
  options: PageOptions,
  use: (page: MeasuredPage) => Promise<Result>,
) => Promise<Result>;

/** Starts a browser and a site, and closes them after `use`. */
export async function withBrowser<Result>(
  use: (withPage: WithPage) => Promise<Result>,
): Promise<Result> {
  const browser = await launchBrowser();
  const site = await startPageServer();
  try {
    return await use(async (options, run) => {
      const page = await openPage(browser, { origin: site.origin, ...options });
      try {
        return await withTimeout(
          timeoutSeconds,
          `The page ${options.name} was not finished`,
          run(page),
        );
      } finally {
        await page.close();
      }
    });
  } finally {
    await browser.close();
    site.close();
  }
}

/**
 * Like `withBrowser`, with a platform that serves the given answers. `setup` returns the settings of a page
 * that gets the answer with this name.
 */
export async function withPreparedPlatform<Result>(
  answers: Record<string, AnswerSpec>,
  use: (withPage: WithPage, setup: (name: string) => Setup) => Promise<Result>,
): Promise<Result> {
  const platform = await startPreparedPlatform(answers);
  try {
    const { origin: baseUrl } = platform;
    return await withBrowser((withPage) =>
      use(withPage, (name) => ({ baseUrl, token: name, session: null })),
    );
  } finally {
    platform.close();
  }
}

async function withTimeout<Result>(seconds: number, message: string, done: Promise<Result>) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const rejectLate = () => reject(new Error(`${message} after ${seconds} s.`));
    timer = setTimeout(rejectLate, seconds * 1000);
  });
  try {
    return await Promise.race([done, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
