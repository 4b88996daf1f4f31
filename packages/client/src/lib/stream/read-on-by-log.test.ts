import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { sseTransport } from './sse.ts';
import './log-polling.ts';
import type { StreamTransport } from './transport.ts';

let bed: TestBed;
afterEach(() => bed.close());

const streamed = 'GET /sessions/{id}/events/stream';
const logRead = 'GET /sessions/{id}/events';
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** Loses the messages of a stream in which these words stand. */
const losing = (words: string): StreamTransport => ({
  read: (attempt) =>
    sseTransport.read({
      ...attempt,
      onMessage: (message) => {
        if (!message.data.includes(words)) attempt.onMessage(message);
      },
    }),
});

/** A conversation that follows a session whose events the test writes. */
async function setup(transport?: StreamTransport) {
  bed = createTestBed({ answer: () => null, client: transport ? { transport } : {} });
  const session = bed.platform.createSession({ user: 'ada' });
  const conversation = bed.client.conversation(session.id);
  await bed.until(() => conversation.state.connection === 'open');
  const texts = () =>
    conversation.state.entries.map((entry) => ('text' in entry ? entry.text.slice(0, 20) : ''));
  return { session, conversation, texts };
}

describe('an event that the stream can’t deliver', () => {
  it('S06: is read from the log when it is over 1 MiB, and the stream resumes after it', async () => {
    const { session, conversation, texts } = await setup();
    session.begin();
    session.append({ type: 'agent.message', ...text('x'.repeat(1_600_000)) });
    session.append({ type: 'agent.message', ...text('Behind it.') });
    session.end();
    await bed.until(() => conversation.state.stopReason !== null, 30_000);

    expect(texts()).toEqual(['x'.repeat(20), 'Behind it.']);
    expect(conversation.state.running).toBe(false);
    await bed.until(() => bed.faults.openStreams === 1, 30_000);
    session.append({ type: 'agent.message', ...text('Live again.') });
    await bed.until(() => texts().length === 3, 1_000);
    expect(bed.platform.count(streamed)).toBe(2);
    expect(bed.diagnostics).toContainEqual(
      expect.objectContaining({ type: 'stream_retry', code: 'STREAM_OVERFLOW' }),
    );
  });

  it('S06: does not block later events when a preview is over 1 MiB', async () => {
    const { session, conversation, texts } = await setup();
    session.begin();
    const part = session.start();
    part.add('y'.repeat(1_200_000));
    await bed.clock.advance(60_000);
    const opened = bed.platform.count(streamed);
    part.finish();
    session.end();
    await bed.until(() => conversation.state.stopReason !== null, 30_000);

    expect(texts()).toEqual(['y'.repeat(20)]);
    // The preview is not requested again.
    expect(opened).toBe(1);
  });

  it('is read from the log once when the stream omitted it', async () => {
    const { session, conversation, texts } = await setup(losing('Two.'));
    session.append({ type: 'agent.message', ...text('One.') });
    session.append({ type: 'agent.message', ...text('Two.') });
    const reads = bed.platform.count(logRead);
    session.append({ type: 'agent.message', ...text('Three.') });
    await bed.until(() => texts().length === 3, 10_000);

    expect(texts()).toEqual(['One.', 'Two.', 'Three.']);
    expect(bed.platform.count(logRead) - reads).toBe(1);
    await bed.until(() => conversation.state.connection === 'open');
    expect(bed.diagnostics).toContainEqual(
      expect.objectContaining({ type: 'stream_retry', code: 'STREAM_GAP' }),
    );
  });
});
