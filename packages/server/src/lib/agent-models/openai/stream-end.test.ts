import { expect, it } from 'vitest';
import { chatEndpoint, chunk, done, stream } from '../../testing/chat-endpoint.ts';
import { EventGatherer } from './event-gatherer.ts';
import { StreamEnd } from './stream-end.ts';

const init = { method: 'POST', body: '{}' };

it('a response above the maximum size is aborted', async () => {
  const { url, requests } = await chatEndpoint(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    while (!response.destroyed) {
      await new Promise((resolve) => response.write(chunk({ content: 'and on ' }), resolve));
    }
  });
  const response = await new StreamEnd(10_000).fetch(url, init);

  await expect(response.text()).rejects.toMatchObject({ name: 'ModelError', retryable: false });
  await requests[0]?.disconnected;
});

it('a response is not changed, and `isDone` is true after [DONE]', async () => {
  const { url } = await chatEndpoint(stream(chunk({ content: 'a' }), done));
  const streamEnd = new StreamEnd();
  const response = await streamEnd.fetch(url, init);

  expect(streamEnd.isDone).toBe(false);
  expect(await response.text()).toBe(chunk({ content: 'a' }) + done);
  expect(streamEnd.isDone).toBe(true);
});

it('each chunk of the response contains only whole events', async () => {
  const long = chunk({ content: 'x'.repeat(1_000_000) });
  const { url } = await chatEndpoint(stream(chunk({ content: 'a' }), long, done));
  const response = await new StreamEnd().fetch(url, init);

  const pieces: string[] = [];
  for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece).toString());

  expect(pieces.filter((piece) => piece !== '' && !piece.endsWith('\n\n'))).toEqual([]);
  expect(pieces.join('')).toBe(chunk({ content: 'a' }) + long + done);
});

it.each(['\n\n', '\r\r', '\r\n\r\n'])(
  'the blank line %j after an event is found even if two chunks share it',
  (end) => {
    for (let cut = 0; cut <= end.length; cut += 1) {
      const gatherer = new EventGatherer(100);
      const add = (text: string) => Buffer.from(gatherer.add(Buffer.from(text))).toString();

      expect(add(`data: 1${end.slice(0, cut)}`) + add(`${end.slice(cut)}data: 2`)).toBe(
        `data: 1${end}`,
      );
      expect(Buffer.from(gatherer.rest()).toString()).toBe('data: 2');
    }
  },
);

it('a response with an event of more than 4 MiB is aborted', async () => {
  const { url } = await chatEndpoint(stream(chunk({ content: 'x'.repeat(5_000_000) }), done));
  const response = await new StreamEnd().fetch(url, init);

  await expect(response.text()).rejects.toMatchObject({ kind: 'too_long' });
});
