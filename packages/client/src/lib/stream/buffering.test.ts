import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBed, TestBedOptions } from '../testing/test-bed.ts';
import './log-polling.ts';

/** Creates a page behind a proxy that buffers every stream until its end. */
function setupBuffered(options: TestBedOptions = {}) {
  const bed = setupBed(options);
  bed.faults.bufferStreams();
  return bed;
}

const shownTexts = ({ state }: Conversation) =>
  state.entries.map(
    (entry) => `${entry.kind === 'user' ? '' : '> '}${'text' in entry ? entry.text : ''}`,
  );
const bufferingReports = ({ diagnostics }: TestBed) =>
  diagnostics.filter(({ type }) => type === 'stream_buffered').length;
const pollCount = ({ platform }: TestBed) =>
  platform.requests.filter(({ path }) => path.includes('after_seq')).length;

describe('S13: a client behind a proxy that buffers streams', () => {
  it('creates a session with the first message, and receives its answer', async () => {
    const bed = setupBuffered({ answer: 'Here I am.' });
    const conversation = bed.client.conversation();
    const sent = conversation.send('Hello?');
    await bed.until(() => shownTexts(conversation).length === 2);
    await sent;

    expect(shownTexts(conversation)).toEqual(['Hello?', '> Here I am.']);
    expect(conversation.state).toMatchObject({ running: false, connection: 'open' });
    expect(bed.platform.sessions).toHaveLength(1);
    expect(bed.platform.session().log.filter(({ type }) => type === 'user.message')).toHaveLength(
      1,
    );
  });

  it('continues with long polling, and reports the buffering once', async () => {
    const bed = setupBuffered({ answer: 'Yes: {text}' });
    const conversation = bed.client.conversation();
    for (const text of ['One', 'Two', 'Three', 'Four']) {
      void conversation.send(text);
      await bed.until(() => shownTexts(conversation).at(-1) === `> Yes: ${text}`);
      await bed.clock.advance(60_000);
    }

    expect(shownTexts(conversation)).toHaveLength(8);
    expect(bufferingReports(bed)).toBe(1);
    // Without new events, each long poll lasts 20 seconds.
    const { length } = bed.platform.requests;
    await bed.clock.advance(600_000);
    expect(bed.platform.requests.length - length).toBeLessThan(120);
  });

  it('replaces a revoked token, and continues', async () => {
    const bed = setupBuffered({ answer: 'Yes: {text}' });
    const conversation = bed.client.conversation();
    void conversation.send('One');
    await bed.until(() => shownTexts(conversation).at(-1) === '> Yes: One');
    await bed.clock.advance(120_000);
    bed.platform.revokeAll('ada');
    bed.platform.session().say('Still there?');
    await bed.until(() => shownTexts(conversation).at(-1) === '> Still there?');
    expect(bed.client.auth.status).toBe('ok');
  });

  it('uses streams again after the proxy stops buffering', async () => {
    const bed = setupBuffered();
    const conversation = bed.client.conversation();
    void conversation.send('Hello?');
    await bed.until(() => shownTexts(conversation).length === 2);
    void conversation.send('Again?');
    await bed.until(() => shownTexts(conversation).length === 4);
    bed.faults.bufferStreams(false);
    await bed.clock.advance(120_000);
    const pollsBefore = pollCount(bed);
    bed.platform.session().say('By stream.');
    await bed.clock.advance(100);
    expect(shownTexts(conversation).at(-1)).toBe('> By stream.');
    await bed.clock.advance(300_000);
    expect(pollCount(bed)).toBe(pollsBefore);
  });

  it('polls immediately for a new conversation of the same page', async () => {
    const bed = setupBuffered();
    const first = bed.client.conversation();
    void first.send('One');
    await bed.until(() => shownTexts(first).length === 2);
    for (let count = 4; bufferingReports(bed) === 0; count += 2) {
      void first.send('More');
      await bed.until(() => shownTexts(first).length === count);
      await bed.clock.advance(5_000);
    }
    first.close();
    const second = bed.client.conversation();
    void second.send('Three');
    await bed.until(() => shownTexts(second).length === 2, 1_000);
  });
});

describe('a stream without events', () => {
  it('S01: is replaced when the log contains events that it missed', async () => {
    const bed = setupBed({ answer: 'Yes.' });
    const conversation = bed.client.conversation();
    void conversation.send('One');
    await bed.until(() => shownTexts(conversation).length === 2);
    bed.faults.cutStreams({ silently: true });
    bed.platform.session().say('You missed this.');
    await bed.until(() => shownTexts(conversation).length === 3, 30_000);
    await bed.clock.advance(4_000);
    bed.platform.session().say('And now?');
    await bed.clock.advance(100);
    expect(shownTexts(conversation).at(-1)).toBe('> And now?');
    expect(bufferingReports(bed)).toBe(0);
  });

  it('causes no polling while it sends comments', async () => {
    const bed = setupBed();
    const conversation = bed.client.conversation();
    void conversation.send('One');
    await bed.until(() => shownTexts(conversation).length === 2);
    await bed.clock.advance(600_000);
    expect(pollCount(bed)).toBe(0);
  });
});
