import { describe, expect, it } from 'vitest';
import { setupBed } from './bed-setup.ts';
import type { TestBed } from './test-bed.ts';

const answer = { say: ['Grüße ', 'aus ', 'Zürich 👋'], delay_ms: 100 };

function setup() {
  const bed = setupBed({ answer: [answer] });
  return { bed, faults: bed.faults };
}

function setupConversation() {
  const { bed, faults } = setup();
  const conversation = bed.client.conversation();
  const texts = () => conversation.state.entries.map((entry) => 'text' in entry && entry.text);
  const untilAnswered = () => bed.until(() => conversation.state.stopReason !== null, 3_600_000);
  return { bed, faults, conversation, texts, untilAnswered };
}

/** Sends a request to the platform without a client. */
async function requestPlatform(
  bed: TestBed,
  path = '/embed/config',
  signal: AbortSignal | null = null,
) {
  const { token } = bed.platform.issue('ada');
  const headers = { authorization: `Bearer ${token}` };
  return bed.platform.fetch(`${bed.platform.baseUrl}/agent/v1${path}`, { headers, signal });
}

const expectedTexts = ['Hi', 'Grüße aus Zürich 👋'];

describe('Faults of streams', () => {
  it('disconnect open streams, and the client resumes', async () => {
    const { bed, faults, conversation, texts, untilAnswered } = setupConversation();
    await conversation.send('Hi');
    await bed.clock.advance(150);
    expect(faults.openStreams).toBe(1);
    faults.cutStreams();
    expect(faults.openStreams).toBe(0);
    await untilAnswered();
    expect(texts()).toEqual(expectedTexts);
    expect(bed.diagnostics).toContainEqual(expect.objectContaining({ type: 'stream_retry' }));
  });

  it('S01: stop the data of a stream without an error, until the client’s watchdog reconnects', async () => {
    const { bed, faults, conversation, texts, untilAnswered } = setupConversation();
    await conversation.send('Hi');
    await bed.clock.advance(150);
    faults.cutStreams({ silently: true });
    await bed.clock.advance(44_000);
    expect(conversation.state.connection).toBe('open');
    await untilAnswered();
    expect(texts()).toEqual(expectedTexts);
  });

  it('disconnect each stream after more bytes than the previous stream, without loss', async () => {
    const { bed, faults, conversation, texts, untilAnswered } = setupConversation();
    // The comment at the start of each stream, in bytes.
    const paddingLength = 2_049;
    faults.cutStreamsAfter((nth) => paddingLength + nth * 37);
    await Promise.all([conversation.send('Hi'), untilAnswered()]);
    expect(texts()).toEqual(expectedTexts);
    expect(bed.platform.session().log.filter(({ type }) => type === 'user.message')).toHaveLength(
      1,
    );
    expect(bed.platform.count(/stream$|^POST \/sessions$/)).toBeGreaterThan(10);
  });

  it('S04: deliver a stream byte by byte', async () => {
    const { faults, conversation, texts, untilAnswered } = setupConversation();
    faults.splitStreams();
    await conversation.send('Hi');
    await untilAnswered();
    expect(texts()).toEqual(expectedTexts);
  });

  it('S13: buffer a stream until it ends, or until buffering is turned off', async () => {
    const { bed, faults } = setup();
    faults.bufferStreams();
    const response = await requestPlatform(bed, '/embed/stream_check');
    let text = '';
    const reading = response.text().then((body) => {
      text = body;
    });
    await bed.clock.advance(499);
    expect(text).toBe('');
    await bed.clock.advance(1);
    await reading;
    expect(text.match(/^data: /gm)).toHaveLength(3);

    const reader = (await requestPlatform(bed, '/embed/stream_check')).body?.getReader();
    let chunks = 0;
    const first = reader?.read().then(() => {
      chunks += 1;
    });
    await bed.clock.settle();
    expect(chunks).toBe(0);
    faults.bufferStreams(false);
    await first;
    expect(chunks).toBe(1);
    await reader?.cancel();
  });
});

describe('Faults of requests', () => {
  it('S26: lose the response of a processed request', async () => {
    const { bed, faults, conversation, untilAnswered } = setupConversation();
    faults.loseResponse('POST /sessions', 2);
    await Promise.all([conversation.send('Hi'), untilAnswered()]);
    expect(bed.platform.sessions).toHaveLength(1);
    expect(bed.platform.count('POST /sessions')).toBe(3);
  });

  it('respond with a problem, a web page or nothing', async () => {
    const { bed, faults } = setup();
    faults.failNext({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 9 });
    faults.failNext({ status: 200, html: '<html>Please sign in to the hotel’s network</html>' });
    faults.failNext({ status: 204 }, 'GET /embed/config');
    faults.failNext('network');

    const problem = await requestPlatform(bed);
    expect([problem.status, problem.headers.get('retry-after')]).toEqual([503, '9']);
    expect(await problem.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    const page = await requestPlatform(bed);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect((await requestPlatform(bed)).status).toBe(204);
    await expect(requestPlatform(bed)).rejects.toThrow(TypeError);
    expect((await requestPlatform(bed)).status).toBe(200);
  });

  it('delay a request for a time, or until it is released', async () => {
    const { bed, faults } = setup();
    faults.hold('GET /embed/config');
    let responses = 0;
    const count = () => {
      responses += 1;
    };
    const pending = requestPlatform(bed).then(count);
    await bed.clock.advance(60_000);
    expect(responses).toBe(0);
    faults.release('GET /embed/config');
    await pending;
    faults.delayRequests(200);
    const slow = requestPlatform(bed).then(count);
    await bed.clock.advance(199);
    expect(responses).toBe(1);
    await bed.clock.advance(1);
    await slow;
    expect(responses).toBe(2);
  });

  it('drop a delayed request that its caller aborted', async () => {
    const { bed, faults } = setup();
    faults.hold(/sessions/);
    const { token } = bed.platform.issue('ada');
    const controller = new AbortController();
    const create = () =>
      bed.platform.fetch(`${bed.platform.baseUrl}/agent/v1/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: '{}',
        signal: controller.signal,
      });
    const request = create();
    await bed.clock.settle();
    controller.abort();
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
    await expect(create()).rejects.toMatchObject({ name: 'AbortError' });
    faults.release(/sessions/);
    await bed.clock.settle();
    expect([bed.platform.sessions.length, bed.platform.requests.length]).toEqual([0, 1]);
  });

  it('disconnect open streams, and reject pending and new requests, while offline', async () => {
    const { bed, faults, conversation, texts, untilAnswered } = setupConversation();
    await conversation.send('Hi');
    faults.hold('GET /embed/config');
    const pending = requestPlatform(bed);
    bed.goOffline();
    await expect(pending).rejects.toThrow(TypeError);
    await expect(requestPlatform(bed)).rejects.toThrow(TypeError);
    await bed.until(() => conversation.state.connection === 'offline');
    faults.clear();
    bed.goOnline();
    await untilAnswered();
    expect(texts()).toEqual(expectedTexts);
  });
});

describe('a fault with an unknown request name', () => {
  it('is rejected with the list of known names', () => {
    const bed = setupBed();
    for (const addFault of [
      () => bed.faults.failNext('network', 'POST /session'),
      () => bed.faults.loseResponse('POST sessions'),
      () => bed.faults.hold(/nothing/),
    ]) {
      expect(addFault).toThrow(/There are: .*POST \/sessions,/);
    }
    bed.client.close();
  });
});
