import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Activity, addActivityListener } from '../activity/activity.ts';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { hostedCode } from '../tokens/sources/hosted-code.ts';
import { Timeline } from './timeline.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Records the activity of a test bed, and the tokens in the requests of its tab. */
function record(bed: TestBed) {
  const timeline = new Timeline(5000);
  const secrets = new Set<string>();
  const { fetch } = bed.platform;
  // A client gets its `fetch` when it is created, so a new tab is opened below.
  const observing: typeof fetch = (input, init) => {
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '');
    if (token) secrets.add(token);
    return fetch(input, init);
  };
  const stop = addActivityListener((activity) => timeline.add(activity, 1, bed.clock.now()));
  cleanups.push(stop, () => bed.close());
  const tab = bed.openTab({ ports: { fetch: observing } });
  const shown = () =>
    [
      JSON.stringify(timeline.export('https://app.test', 0)),
      ...timeline.entries.flatMap(({ title, detail }) => [title, detail]),
    ].join('\n');
  const types = () => timeline.entries.map(({ activity }) => activity.type);
  return { tab, timeline, secrets, shown, types };
}

type Step = 'send' | 'expire' | 'revoke' | 'cut' | 'fail' | 'lose' | 'block' | 'wait' | 'search';

const steps: readonly Step[] = [
  'send',
  'expire',
  'revoke',
  'cut',
  'fail',
  'lose',
  'block',
  'wait',
  'search',
];

describe('the timeline of the inspector', () => {
  it('contains no token and no message text after any sequence of messages, faults and revocations', async () => {
    const seen = new Set<Activity['type']>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 14 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        async (program, seed) => {
          const words: string[] = [];
          const secretWord = (name: string) => {
            const word = `zq${name}${seed}x${words.length}`;
            words.push(word);
            return word;
          };
          const answer = secretWord('answer');
          const bed = createTestBed({ seed, answer, ttlSeconds: 300 });
          const { tab, secrets, shown, types } = record(bed);
          const conversation = tab.client.conversation();
          await tab.client.config().catch(() => {});
          for (const step of program) {
            const [token = ''] = [...secrets].slice(-1);
            if (step === 'send') {
              conversation.send(secretWord('message')).catch(() => {});
              await bed.clock.advance(1_000);
            }
            if (step === 'expire' && token) bed.platform.expire(token);
            if (step === 'revoke') bed.platform.revokeAll('ada');
            if (step === 'cut') bed.faults.cutStreams();
            if (step === 'fail') bed.faults.failNext({ code: 'INTERNAL_ERROR' });
            if (step === 'lose') bed.faults.loseResponse('POST /sessions/{id}/events');
            if (step === 'block') {
              bed.platform.block('ada');
              await bed.clock.advance(2_000);
              bed.platform.unblock('ada');
              tab.client.reconnect().catch(() => {});
            }
            if (step === 'search') {
              tab.client.sessions.list({ query: secretWord('query') }).catch(() => {});
            }
            await bed.clock.advance(step === 'wait' ? 310_000 : 5_000);
          }
          const text = shown();
          for (const secret of [...secrets, ...words]) expect(text).not.toContain(secret);
          expect(secrets.size).toBeGreaterThan(0);
          for (const type of types()) seen.add(type);
          for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
        },
      ),
      { numRuns: 25, seed: 7 },
    );
    expect([...seen].sort()).toEqual(
      expect.arrayContaining([
        'auth',
        'request',
        'stream_end',
        'stream_event',
        'stream_open',
        'stream_retry',
        'token_accepted',
        'token_issued',
        'token_rejected',
      ]),
    );
  });

  it('contains neither the code of a hosted link nor its token', async () => {
    const bed = createTestBed();
    const { tab, secrets, shown, types } = record(bed);
    const href = bed.platform.hostedUrl('ada');
    const { hash } = new URL(href);
    const page = {
      location: { href, hash },
      history: { state: null, replaceState: () => {} },
      document: new EventTarget(),
    };
    const hosted = bed.openTab({ tokens: hostedCode(page), ports: { fetch: tab.ports.fetch } });
    await hosted.client.config();
    expect(types()).toContain('token_accepted');
    expect(secrets.size).toBe(1);
    for (const secret of [...secrets, hash.replace('#c=', '')]) {
      expect(shown()).not.toContain(secret);
    }
  });

  it('omits event types and error codes in an unexpected format', () => {
    const timeline = new Timeline(10);
    timeline.add({ type: 'unknown_event', eventType: 'zq secret' }, 1, 0);
    timeline.add({ type: 'stream_retry', code: 'vs_zq123', delayMs: 5 }, 1, 0);
    const text = JSON.stringify([timeline.entries, timeline.export('', 0)]);
    expect(text).not.toContain('zq');
  });
});
