import type { Account } from './account.ts';
import { type Case, rawOf } from './judge.ts';
import type { Page } from './page.ts';
import { until } from './patience.ts';
import { readLog } from './read-log.ts';
import { countIn, keepEvidence, type Tally } from './tally.ts';

/** Milliseconds in which everything that was said has to be in the log, whatever the network does. */
const patience = 150_000;

export interface SettleOptions {
  page: Page;
  name: string;
  account: Account;
  tally: Tally;
  platform: Case['platform'];
}

/**
 * Waits until all that was said is sent and answered, doing what a person would do about messages
 * that failed. Gives the session, null when that does not come; and what the tab's storage keeps for
 * a conversation of its own.
 */
export async function settle(
  options: SettleOptions,
): Promise<{ session: string | null; left: string[] }> {
  const { page, account, tally } = options;
  let left: string[] = [];
  const isSettled = await until(
    async () => {
      page.revive();
      for (const entry of page.unsent) {
        if (entry.delivery !== 'failed') continue;
        countIn(tally.retries, entry.error?.code);
        account.late.add(entry.text);
        page.conversation.retry(entry.key);
      }
      left = account.expected.filter((text) => !page.has(text) && page.keeps(text));
      if (!page.shows(account.expected.filter((text) => !left.includes(text)))) return false;
      return left.length === 0 || page.hasLeft();
    },
    patience,
    250,
  );
  for (const text of left) account.excused.add(text);
  if (isSettled) return { session: page.session ?? null, left };
  await report(options);
  return { session: null, left };
}

async function report({ page, name, account, tally, platform }: SettleOptions): Promise<void> {
  const { state } = page.conversation;
  const log = page.session
    ? await readLog(platform.baseUrl, page.session, () => platform.backend.issue(name))
    : [];
  const shown = rawOf(page.conversation);
  keepEvidence(tally, { name, story: account.story, shown, wanted: [], log });
  const open = page.unsent.map(
    ({ text, delivery, error }) => `"${text}" ${delivery} ${error?.code ?? ''}`,
  );
  const missing = account.expected.filter((text) => !page.has(text));
  tally.stuck.push(
    [
      `${name} in ${page.session ?? 'no session'}`,
      `running ${state.running}, loading ${state.loading}, ${state.connection}, ${state.error?.code ?? 'no error'}`,
      `auth ${page.auth}`,
      `open: ${open.join(', ') || 'none'}`,
      `not shown: ${missing.join(', ') || 'none'}`,
    ].join('; '),
  );
}
