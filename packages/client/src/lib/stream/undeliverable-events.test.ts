import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { sseTransport } from './sse.ts';
import './log-polling.ts';
import type { StreamTransport } from './transport.ts';

let bed: TestBed;
afterEach(() => bed.close());

const streamRequest = 'GET /sessions/{id}/events/stream';
const logRequest = 'GET /sessions/{id}/events';
const textContent = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** A transport that drops the messages that contain this text. */
const droppingTransport = (text: string): StreamTransport => ({
  read: (attempt) =>
    sseTransport.read({
      ...attempt,
      onMessage: (message) => {
        if (!message.data.includes(text)) attempt.onMessage(message);
      },
    }),
});

/** An open conversation. The test appends the events of its session. */
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
    session.append({ type: 'agent.message', ...textContent('x'.repeat(1_600_000)) });
    session.append({ type: 'agent.message', ...textContent('After it.') });
    session.end();
    await bed.until(() => conversation.state.stopReason !== null, 30_000);

    expect(texts()).toEqual(['x'.repeat(20), 'After it.']);
    expect(conversation.state.running).toBe(false);
    await bed.until(() => bed.faults.openStreams === 1, 30_000);
    session.append({ type: 'agent.message', ...textContent('Live again.') });
    await bed.until(() => texts().length === 3, 1_000);
    expect(bed.platform.count(streamRequest)).toBe(2);
    expect(bed.diagnostics).toContainEqual(
      expect.objectContaining({ type: 'stream_retry', code: 'STREAM_OVERFLOW' }),
    );
  });

  it('S06: does not block later events when it is a preview over 1 MiB', async () => {
    const { session, conversation, texts } = await setup();
    session.begin();
    const output = session.start();
    output.add('y'.repeat(1_200_000));
    await bed.clock.advance(60_000);
    const opened = bed.platform.count(streamRequest);
    output.finish();
    session.end();
    await bed.until(() => conversation.state.stopReason !== null, 30_000);

    expect(texts()).toEqual(['y'.repeat(20)]);
    // The preview is not requested again.
    expect(opened).toBe(1);
  });

  it('is read from the log once when the stream omitted it', async () => {
    const { session, conversation, texts } = await setup(droppingTransport('Two.'));
    session.append({ type: 'agent.message', ...textContent('One.') });
    session.append({ type: 'agent.message', ...textContent('Two.') });
    const reads = bed.platform.count(logRequest);
    session.append({ type: 'agent.message', ...textContent('Three.') });
    await bed.until(() => texts().length === 3, 10_000);

    expect(texts()).toEqual(['One.', 'Two.', 'Three.']);
    expect(bed.platform.count(logRequest) - reads).toBe(1);
    await bed.until(() => conversation.state.connection === 'open');
    expect(bed.diagnostics).toContainEqual(
      expect.objectContaining({ type: 'stream_retry', code: 'STREAM_GAP' }),
    );
  });
});
