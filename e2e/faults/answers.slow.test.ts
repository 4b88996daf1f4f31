/** Responses that the client receives instead of the stream, and invalid events in the stream. */
import { describe, expect, it } from 'vitest';
import { type AnswerFault, badGateway, captivePortal, unavailable } from '../fault-proxy/fault.ts';
import { startSite, streamRequestsOf, transcript, until, untilFinished } from './setup.ts';

const streamRequests = { path: '/events/stream' };

/** An error response of the platform, with problem details. */
const problemAnswer = (status: number, code: string, headers = {}): AnswerFault => ({
  type: 'answer',
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ code, status, title: 'no', detail: 'no', retryable: status >= 500 }),
});

/**
 * Opens an idle conversation in two tabs: `conversation` has an open stream through the proxy, and
 * `sender` sends messages directly to the server.
 */
async function setupOpenStream() {
  const site = await startSite({
    agent: { model: { provider: 'scripted', script: [{ say: 'Hello.' }], delay_ms: 0 } },
  });
  const sender = site.openTab({ baseUrl: site.server.baseUrl }).client.conversation();
  await sender.send('hello');
  await untilFinished(sender);
  const tab = site.openTab();
  const conversation = tab.client.conversation(sender.state.session?.id ?? '');
  await until(() => conversation.state.connection === 'open');
  tab.skip(10_000);
  return { ...site, ...tab, sender, conversation };
}

const webPage = (body: string): AnswerFault => ({ ...captivePortal, body });
const forgedEvent = 'data: {"type":"agent.message","id":"evt_forged","seq":99}\n\n';

describe('a response in place of the stream', () => {
  it.each<[string, AnswerFault, number]>([
    ['the page of a captive portal', captivePortal, 1],
    ['a web page that contains an event', webPage(forgedEvent), 1],
    ['the error page of a gateway', badGateway, 1],
    ['an empty stream', { ...webPage(''), headers: { 'content-type': 'text/event-stream' } }, 1],
    ['a redirect', { type: 'answer', status: 302, headers: { location: '/' } }, 1],
    ['a 500', problemAnswer(500, 'INTERNAL_ERROR'), 1],
    ['a 503', unavailable(0), 1],
    ['a 429', problemAnswer(429, 'RATE_LIMITED', { 'retry-after': '0' }), 1],
    ['a 401 for an expired token', problemAnswer(401, 'EMBED_TOKEN_EXPIRED'), 2],
    ['a 401 for a revoked token', problemAnswer(401, 'EMBED_TOKEN_REVOKED'), 2],
  ])('S11: %s is discarded, and the client reconnects', async (_what, answer, tokens) => {
    const { proxy, conversation, sender, tokenRequests, sent } = await setupOpenStream();
    const fault = proxy.faults.add(answer, { ...streamRequests, times: 1 });
    const before = streamRequestsOf(sent).length;
    proxy.cut('reset');
    await until(() => streamRequestsOf(sent).length >= before + 2);
    await until(() => conversation.state.connection === 'open');
    await sender.send('hello');
    await untilFinished(sender);
    await until(() => conversation.state.lastSeq === sender.state.lastSeq);

    expect(fault.timesApplied).toBe(1);
    expect(tokenRequests).toHaveLength(tokens);
    expect(transcript(conversation)).toEqual(transcript(sender));
  });

  it.each<[string, AnswerFault, string]>([
    ['a 204', { type: 'answer', status: 204 }, 'NO_STREAM'],
    ['a 400', problemAnswer(400, 'VALIDATION_ERROR'), 'VALIDATION_ERROR'],
    ['a 404', problemAnswer(404, 'NOT_FOUND'), 'NOT_FOUND'],
    ['a 409', problemAnswer(409, 'CONFLICT'), 'CONFLICT'],
    ['a 410', problemAnswer(410, 'GONE'), 'GONE'],
    ['a 403 for a blocked user', problemAnswer(403, 'EMBED_USER_BLOCKED'), 'EMBED_USER_BLOCKED'],
    [
      'a 403 for a wrong origin',
      problemAnswer(403, 'EMBED_ORIGIN_NOT_ALLOWED'),
      'EMBED_ORIGIN_NOT_ALLOWED',
    ],
  ])('S11: %s closes the connection without a retry', async (_what, answer, code) => {
    const { proxy, conversation, sender, sent } = await setupOpenStream();
    proxy.faults.add(answer, streamRequests);
    proxy.cut('reset');
    await until(() => conversation.state.connection === 'closed');
    const before = streamRequestsOf(sent).length;
    // Takes longer than the wait before a retry.
    await sender.send('hello');
    await untilFinished(sender);

    expect(conversation.state.error?.code).toBe(code);
    expect(streamRequestsOf(sent)).toHaveLength(before);
  });

  it('S11: a 429 delays the reconnect by its Retry-After', async () => {
    const { proxy, diagnostics } = await setupOpenStream();
    proxy.faults.add(problemAnswer(429, 'RATE_LIMITED', { 'retry-after': '20' }), streamRequests);
    proxy.cut('reset');
    const waits = () =>
      diagnostics.flatMap((each) =>
        each.type === 'stream_retry' && each.code === 'RATE_LIMITED' ? [each.delayMs] : [],
      );
    await until(() => waits().length > 0);

    expect(waits()).toEqual([20_000]);
  });
});

describe('unknown and invalid events', () => {
  it('S24: are skipped and reported, and the stream continues after them', async () => {
    const { proxy, conversation, sender, sent, diagnostics } = await setupOpenStream();
    const seqBefore = conversation.state.lastSeq;
    const fields = '"processed_at":"2026-01-01T00:00:00Z"';
    const invalidEvents = [
      `id: ${seqBefore + 1}\ndata: {"type":"agent.dance","id":"evt_x","seq":${seqBefore + 1},${fields}}\n\n`,
      `id: ${seqBefore + 2}\ndata: {"type":"agent.message","id":"evt_y","seq":${seqBefore + 2},${fields},"content":7}\n\n`,
      `id: ${seqBefore + 3}\ndata: {broken\n\n`,
    ];
    proxy.faults.add(
      {
        type: 'answer',
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: invalidEvents.join(''),
      },
      { ...streamRequests, times: 1 },
    );
    const before = streamRequestsOf(sent).length;
    proxy.cut('reset');
    await until(
      () => conversation.state.connection === 'open' && streamRequestsOf(sent).length > before,
    );
    await until(() => diagnostics.filter(({ type }) => type === 'invalid_event').length === 2);
    // The log does not have the positions of the invalid events yet. New events take these positions, so
    // that the server does not send the complete log, as it does for an unknown `Last-Event-ID`.
    await sender.send('hello');
    await untilFinished(sender);
    await until(() => conversation.state.lastSeq === sender.state.lastSeq);

    expect(diagnostics).toContainEqual({ type: 'unknown_event', eventType: 'agent.dance' });
    const positions = streamRequestsOf(sent)
      .slice(before)
      .map(({ headers }) => headers.get('last-event-id'));
    expect(positions.at(-1)).toBe(String(seqBefore + 3));
    expect(positions.length).toBeLessThanOrEqual(3);
    expect(conversation.state.connection).toBe('open');
    expect(conversation.state.entries.at(-1)?.id).toBe(sender.state.entries.at(-1)?.id);
  });
});
