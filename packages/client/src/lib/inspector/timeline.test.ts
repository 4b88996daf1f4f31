import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addActivityListener } from '../activity/activity.ts';
import { shortenPath } from '../activity/redact.ts';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { Timeline } from './timeline.ts';

describe('Timeline', () => {
  let bed: TestBed;
  let timeline: Timeline;
  let stop: () => void;
  beforeEach(() => {
    bed = createTestBed({ ttlSeconds: 300, answer: [{ say: ['It ', 'is ', 'fine.'] }] });
    timeline = new Timeline(500);
    stop = addActivityListener((activity) => timeline.add(activity, 1, bed.clock.now()));
  });
  afterEach(async () => {
    stop();
    await bed.close();
  });
  const titles = () => timeline.entries.map(({ title }) => title);

  it('shows the first token, its acceptance and its refresh', async () => {
    await bed.client.config();
    await bed.clock.advance(300_000);
    expect(titles().filter((title) => title.startsWith('Token'))).toEqual([
      'Token 1 issued',
      'Token 1 accepted',
      'Token 2 issued (refresh)',
      'Token 2 accepted',
    ]);
  });

  it('shows a 401, and the repeated request with a new token', async () => {
    await bed.client.config();
    bed.platform.revokeAll('ada');
    await bed.client.sessions.list();
    expect(titles()).toEqual(
      expect.arrayContaining([
        '401 GET /sessions',
        'Token 1 revoked (401)',
        'Token 2 issued (refresh)',
        '200 GET /sessions',
      ]),
    );
  });

  it('shows a revocation during a stream, and the end of the access', async () => {
    const conversation = bed.client.conversation();
    await conversation.send('Hi');
    bed.user = null;
    bed.platform.revokeAll('ada');
    await bed.until(() => bed.client.auth.status === 'revoked');
    await bed.clock.settle();
    expect(titles()).toEqual(expect.arrayContaining(['Token 1 revoked (401)', 'Access: revoked']));
  });

  it('shows the events of a stream, its disconnect, and the event after which it resumes', async () => {
    const conversation = bed.client.conversation();
    await conversation.send('Hi');
    await bed.until(() => conversation.state.stopReason !== null);
    bed.faults.cutStreams();
    await bed.clock.advance(10_000);
    const ofStreams = timeline.entries.filter(({ lane }) => lane === 'stream');
    expect(ofStreams.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'Stream 1 opened',
        expect.stringMatching(/^event_delta ×\d$/),
        'Stream 1 disconnected',
        expect.stringMatching(/^Stream reconnects in/),
        'Stream 2 resumed',
      ]),
    );
    const resumed = ofStreams.find(({ title }) => title === 'Stream 2 resumed');
    expect(resumed?.detail).toMatch(/^After event [1-9]/);
  });

  it('removes the oldest entries beyond its limit, and counts the removed entries', () => {
    const small = new Timeline(10);
    for (let token = 1; token <= 25; token += 1) small.add({ type: 'token_issued', token }, 1, 0);
    expect(small.entries).toHaveLength(10);
    expect(small.entries[0]?.title).toBe('Token 16 issued (refresh)');
    expect(small.removed).toBe(15);
    expect(small.export('', 0)).toMatchObject({ removed: 15 });
  });

  it('records nothing after its listener is removed', async () => {
    stop();
    await bed.client.config();
    expect(timeline.entries).toEqual([]);
  });
});

describe('shortenPath', () => {
  it('removes the query and shortens ids', () => {
    expect(
      shortenPath('https://chat.test/base/agent/v1/sessions/ses_01JABCDEF/events?query=x'),
    ).toBe('/sessions/ses_01JA…/events');
  });
});
