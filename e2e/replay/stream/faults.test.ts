import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAnswer } from '../answers/catalogue.ts';
import { type ReplayServer, startReplayServer } from '../replay-server.ts';
import { ask, readStream } from '../testing/ask.ts';
import { type Fault, faults } from './options.ts';

const whole = findAnswer('edges')?.turns[0]?.text ?? '';

let server: ReplayServer;
beforeEach(async () => {
  server = await startReplayServer();
});
afterEach(() => server.close());

const readWith = async (fault: Fault) => {
  server.use({ answer: 'edges', fault });
  return readStream(await ask(server));
};

/** Expects about the first half of the answer. */
function expectHalf(content: string) {
  expect(whole.startsWith(content)).toBe(true);
  expect(content.length / whole.length).toBeGreaterThan(0.4);
  expect(content.length / whole.length).toBeLessThan(0.6);
}

describe('faults before the answer', () => {
  it('rate-limit: sends a 429 with retry-after and the error type', async () => {
    server.use({ fault: 'rate-limit', retryAfter: 7 });
    const response = await ask(server);

    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toMatchObject({
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    });
  });

  it('server-error: sends a 500 with a JSON body', async () => {
    server.use({ fault: 'server-error' });
    const response = await ask(server);

    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { type: 'server_error' } });
  });

  it('html-503: sends a 503 with an HTML page', async () => {
    server.use({ fault: 'html-503' });
    const response = await ask(server);

    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toContain('<h1>503');
  });

  it('reset: resets the connection before the headers', async () => {
    server.use({ fault: 'reset' });

    await expect(ask(server)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(server.requests[0]).toMatchObject({ status: null, aborted: false });
  });

  it('no-response: sends nothing until the client disconnects', async () => {
    server.use({ fault: 'no-response' });
    const leaving = new AbortController();
    const coming = server.nextRequest();
    const asked = ask(server, {}, { signal: leaving.signal });
    const request = await coming;
    leaving.abort();

    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await request.closed;
    expect(request).toMatchObject({ status: null, aborted: true });
  });
});

describe('faults during the answer', () => {
  it.each([
    ['cut-reset', 'ECONNRESET'],
    ['cut-fin', 'UND_ERR_SOCKET'],
  ] as const)('%s: interrupts the body with %s inside an event', async (fault, code) => {
    const { content, raw, error, data } = await readWith(fault);

    expect(error).toMatchObject({ cause: { code } });
    expectHalf(content);
    expect(raw).not.toMatch(/\n\n$/);
    expect(data).not.toContain('[DONE]');
    await server.requests[0]?.closed;
    expect(server.requests[0]?.aborted).toBe(false);
  });

  it('cut-clean: ends the body correctly, but too early', async () => {
    const { content, error, chunks, data } = await readWith('cut-clean');

    expect(error).toBeNull();
    expectHalf(content);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBeNull();
    expect(data).not.toContain('[DONE]');
  });

  it('error-mid-stream: sends an error object as the last event', async () => {
    const { content, data } = await readWith('error-mid-stream');

    expectHalf(content);
    expect(JSON.parse(data.at(-1) ?? '')).toMatchObject({ error: { type: 'server_error' } });
  });

  it('malformed: sends one event that is not JSON, and then the rest', async () => {
    const { content, data } = await readWith('malformed');

    expect(content).toBe(whole);
    expect(data.filter((each) => /^{"id".*"choi$/.test(each))).toHaveLength(1);
    expect(data.at(-1)).toBe('[DONE]');
  });

  it.each(['hang-start', 'hang-middle'] as const)(
    '%s: sends nothing more until the client disconnects, which is recorded',
    async (fault) => {
      server.use({ answer: 'edges', fault, at: 0.01 });
      const leaving = new AbortController();
      const response = await ask(server, {}, { signal: leaving.signal });
      const [request] = server.requests;
      if (fault === 'hang-middle') await response.body?.getReader().read();
      leaving.abort();
      await request?.closed;

      expect(response.status).toBe(200);
      expect(request?.aborted).toBe(true);
      expect(request?.tokensSent).toBeLessThan(30);
    },
  );

  it('occur at the position of `at`', async () => {
    server.use({ answer: 'edges', fault: 'cut-clean', at: 0 });
    const start = await readStream(await ask(server));
    server.use({ answer: 'edges', fault: 'cut-clean', at: 1 });
    const end = await readStream(await ask(server));

    expect(start.content).toBe('');
    expect(start.chunks).toHaveLength(1);
    expect(end.content).toBe(whole);
    expect(end.chunks.at(-1)?.choices[0]?.finish_reason).toBeNull();
  });

  it('leave half a JSON body without `stream`', async () => {
    server.use({ answer: 'edges', fault: 'cut-clean' });
    const response = await ask(server, { stream: false, stream_options: undefined });

    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toBeInstanceOf(SyntaxError);
  });
});

describe('the option times', () => {
  it.each(faults)('%s: fails twice and then works, also with the openai package', async (fault) => {
    const answer = findAnswer('short')?.turns[0]?.text;
    const model = `replay/short,times=2,fault=${fault}`;
    const client = new OpenAI({
      baseURL: server.url,
      apiKey: 'sk-replay',
      maxRetries: 0,
      logLevel: 'off',
    });
    const attempt = async () => {
      const leaving = new AbortController();
      const coming = server.nextRequest();
      const asked = client.chat.completions.create(
        { model, messages: [{ role: 'user', content: 'Tell me.' }], stream: true },
        { signal: leaving.signal },
      );
      await coming;
      if (fault === 'no-response' && server.requests.length <= 2) leaving.abort();
      const stream = await asked;
      if (fault === 'hang-start' && server.requests.length <= 2) leaving.abort();
      let content = '';
      for await (const chunk of stream) {
        content += chunk.choices[0]?.delta?.content ?? '';
        if (fault === 'hang-middle' && server.requests.length <= 2) leaving.abort();
      }
      return content;
    };

    expect(await attempt().catch(() => 'failed')).not.toBe(answer);
    expect(await attempt().catch(() => 'failed')).not.toBe(answer);
    expect(await attempt()).toBe(answer);
  });
});
