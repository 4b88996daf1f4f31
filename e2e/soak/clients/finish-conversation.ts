import type { Expectations } from './expectations.ts';
import type { Page } from './page.ts';
import { readLog } from './read-log.ts';
import { addEvidence, countIn, type Tally } from './tally.ts';
import { entriesWithKeys, type VerifyOptions } from './verify-conversation.ts';
import { until } from './wait.ts';

/** Time limit for all messages to be sent and answered. */
const timeoutMs = 150_000;

export interface FinishOptions {
  page: Page;
  name: string;
  expectations: Expectations;
  tally: Tally;
  platform: VerifyOptions['platform'];
}

/**
 * Waits until all messages are sent and answered, and sends failed messages again.
 *
 * @returns `session`: the session; null if the time limit was reached. `postponed`: the messages that
 *   the tab keeps for another conversation.
 */
export async function finishConversation(
  options: FinishOptions,
): Promise<{ session: string | null; postponed: string[] }> {
  const { page, expectations, tally } = options;
  let postponed: string[] = [];
  const isSettled = await until(
    async () => {
      page.recover();
      for (const entry of page.unsent) {
        if (entry.delivery !== 'failed') continue;
        countIn(tally.retries, entry.error?.code);
        expectations.late.add(entry.text);
        page.conversation.retry(entry.key);
      }
      postponed = expectations.expected.filter((text) => !page.has(text) && page.keeps(text));
      if (!page.shows(expectations.expected.filter((text) => !postponed.includes(text))))
        return false;
      return postponed.length === 0 || page.hasUnclaimedMessages();
    },
    timeoutMs,
    250,
  );
  for (const text of postponed) expectations.optional.add(text);
  if (isSettled) return { session: page.session ?? null, postponed };
  await reportStuckConversation(options);
  return { session: null, postponed };
}

async function reportStuckConversation({
  page,
  name,
  expectations,
  tally,
  platform,
}: FinishOptions): Promise<void> {
  const { state } = page.conversation;
  const log = page.session
    ? await readLog(platform.baseUrl, page.session, () => platform.backend.issue(name))
    : [];
  const shown = entriesWithKeys(page.conversation);
  addEvidence(tally, { name, history: expectations.history, shown, wanted: [], log });
  const open = page.unsent.map(
    ({ text, delivery, error }) => `"${text}" ${delivery} ${error?.code ?? ''}`,
  );
  const missing = expectations.expected.filter((text) => !page.has(text));
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
