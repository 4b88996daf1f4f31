import type { Benchmark } from '../lib/benchmark.ts';
import { atMost, toRow } from '../lib/row.ts';
import { longestWait } from './longest-wait.ts';
import { type Platform, signIn, startPlatform } from './platform.ts';

const conversations = 3000;
/** Conversations that are created at a time. */
const atOnce = 50;
/** Milliseconds for which other requests are timed after the deletion began. */
const observedMs = 10_000;

/**
 * The longest of the issuances that are sent one after another while all data of a user with 3,000
 * conversations is deleted from the embedded store. The baseline is the time before. Does not measure
 * PostgreSQL, other loads.
 */
export const erase: Benchmark = {
  name: 'erase',
  title: `longest wait of another request while ${conversations} conversations are deleted`,
  async run() {
    const platform = await startPlatform();
    try {
      const { token } = await signIn(platform, 'ada');
      await createConversations(platform, token);
      const quiet = await longestWait(platform, observedMs);
      const deletion = platform.callAsUser(token, '/agent/v1/embed/forget_me');
      const longest = await longestWait(platform, observedMs);
      const { sessions } = await deletion;
      if (sessions !== conversations) throw new Error(`${sessions} conversations were deleted.`);
      return {
        rows: [
          toRow({
            metric: 'longest issuance meanwhile',
            unit: 'ms',
            measured: [longest],
            baseline: [quiet],
            target: atMost(50, 'ms'),
          }),
        ],
        notes: [`The embedded store; requests one after another, for ${observedMs / 1000} s.`],
      };
    } finally {
      await platform.stop();
    }
  },
};

async function createConversations(platform: Platform, token: string): Promise<void> {
  const initial_events = [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }];
  for (let created = 0; created < conversations; created += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, () =>
        platform.callAsUser(token, '/agent/v1/sessions', { initial_events }),
      ),
    );
  }
  // The answers are written one after another, at most three at a time.
  await new Promise((resolve) => setTimeout(resolve, 20_000));
}
