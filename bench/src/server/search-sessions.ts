import { join } from 'node:path';
import { insertTexts } from '../../../packages/server/src/lib/events/search-index.ts';
import { createSqliteStore } from '../../../packages/server/src/lib/store/sqlite-store.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtMost, toRow } from '../lib/row.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { HttpConnection, type Request } from './http-connection.ts';
import { longestWait } from './longest-wait.ts';
import { createBenchUser, readRequest, signIn, startPlatform } from './platform.ts';

const conversations = 100_000;
const users = 20_000;
/** Conversations that are inserted in a transaction. */
const perTransaction = 500;
/** Requests per round, of which the median is taken. */
const perRound = 20;
/** Milliseconds for which other requests are timed. */
const observedMs = 10_000;

/** The searches, by their metric, with the least conversations of a page. */
const searches = {
  'a word of 10 conversations': { query: 'kettle', found: 10 },
  'two words, one of them in no conversation': { query: 'kettles teapot', found: 0 },
  'a word of 2 % of all conversations': { query: 'uncommon', found: 20 },
  'a word of all conversations': { query: 'invoice', found: 20 },
  'the first letter of frequent words': { query: 'e', found: 20 },
} as const;

/**
 * The search of all conversations, with 100,000 of 20,000 users in the embedded store, compared with a
 * page of the list without a search. Also the search of a user's own conversations, and the longest of
 * the issuances that are sent one after another during searches. Does not measure PostgreSQL, long
 * messages, a cold file cache.
 */
export const searchSessions: Benchmark = {
  name: 'search-sessions',
  title: `search of all ${conversations} conversations, compared with their list`,
  async run({ rounds }) {
    const data = join(temporaryFolder('search'), 'data');
    await fill(data);
    const platform = await startPlatform({ data });
    const connection = await HttpConnection.open(platform.port);
    try {
      const { token } = await signIn(platform, 'user-7');
      const measure = (request: Request, found: number) => async () => {
        const times: number[] = [];
        for (let sent = 0; sent < perRound; sent += 1) {
          const startedAt = performance.now();
          const { status, body } = await connection.request(request);
          times.push(performance.now() - startedAt);
          const { data: rows } = JSON.parse(body.toString()) as { data: unknown[] };
          if (status !== 200 || rows.length < found) throw new Error(`${status}: ${body}`);
        }
        return times.sort((a, b) => a - b)[perRound / 2] ?? Number.NaN;
      };
      const path = (query: string) =>
        `/agent/v1/sessions?query=${encodeURIComponent(query)}&limit=20`;
      const all = Object.entries(searches).map(
        ([name, { query, found }]) => [name, measure(readRequest(path(query)), found)] as const,
      );
      const samples = await interleave<string, number>(
        {
          list: measure(readRequest('/agent/v1/sessions?limit=20'), 20),
          own: measure(readRequest(path('invoice'), token), 5),
          ...Object.fromEntries(all),
        },
        { rounds },
      );
      const baseline = samples.list as number[];
      const row = (name: string, sample: string) => ({
        metric: name,
        unit: 'ms',
        measured: samples[sample] as number[],
        baseline,
        target: ratioAtMost(5),
      });
      const quiet = await longestWait(platform, observedMs);
      let isSearching = true;
      const load = (async () => {
        while (isSearching) for (const [, search] of all) await search();
      })();
      const longest = await longestWait(platform, observedMs);
      isSearching = false;
      await load;
      return {
        rows: [
          ...all.map(([name]) => toRow(row(name, name))),
          toRow(row('a word in a user’s own 5 conversations', 'own')),
          toRow({
            metric: 'longest issuance meanwhile',
            unit: 'ms',
            measured: [longest],
            baseline: [quiet],
            target: atMost(50, 'ms'),
          }),
        ],
        notes: [
          `${conversations} conversations of ${users} users, with a message and an answer of 5 to 60 words each, of 50,000 words by Zipf’s law.`,
          'The baseline is the first page of the list of all conversations. Pages have 20 conversations.',
        ],
      };
    } finally {
      connection.close();
      await platform.stop();
    }
  },
};

/** Creates a store with the conversations. */
async function fill(data: string): Promise<void> {
  const platform = await startPlatform({ data });
  await createBenchUser(platform, 'user-0');
  await platform.stop();
  const store = await createSqliteStore({ data, synchronous: 'normal' });
  const row = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  const nextWord = randomWords();
  const textOf = (number: number) => {
    const words = Array.from({ length: 5 + (number % 56) }, nextWord);
    if (number % (conversations / 10) === 7) words.push('kettle');
    if (number % 50 === 0) words.push('uncommon');
    return ['invoice', ...words].join(' ');
  };
  for (let start = 0; start < conversations; start += perTransaction) {
    await store.transaction(async (transaction) => {
      for (let number = start; number < start + perTransaction; number += 1) {
        const session = {
          ...row,
          id: `ses_${String(number * 7919).padStart(22, '0')}`,
          external_user_id: `user-${number % users}`,
          active_at: row.active_at + number * 1000,
          begun_at: row.active_at,
          log_bytes: 2_000,
        };
        await transaction.insertInto('sessions').values(session).execute();
        await insertTexts(
          transaction,
          session,
          [2, 5].map((seq) => ({ session_id: session.id, seq, text: textOf(number) })),
        );
      }
    });
  }
  await store.close();
}

/** Returns a function that returns words, the same ones in each run. */
function randomWords(): () => string {
  let state = 42;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const letters = 'etaoinshrdlucmfwypvbgkqjxz';
  const words = Array.from({ length: 50_000 }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * 8) },
      () => letters[Math.floor(letters.length * random() ** 1.7)],
    ).join(''),
  );
  return () => words[Math.floor(words.length ** random()) - 1] ?? '';
}
