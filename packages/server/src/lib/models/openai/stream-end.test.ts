import { expect, it } from 'vitest';
import { chatEndpoint, chunk, done, stream } from '../../testing/chat-endpoint.ts';
import { StreamEnd } from './stream-end.ts';

const ask = { method: 'POST', body: '{}' };

it('cuts off what comes without an end, and hangs up', async () => {
  const { url, asked } = await chatEndpoint(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    while (!response.destroyed) {
      await new Promise((resolve) => response.write(chunk({ content: 'and on ' }), resolve));
    }
  });
  const response = await new StreamEnd(10_000).fetch(url, ask);

  await expect(response.text()).rejects.toMatchObject({ name: 'ModelError', retryable: false });
  await asked[0]?.hungUp;
});

it('passes on what it watches, and knows the end when it has come', async () => {
  const { url } = await chatEndpoint(stream(chunk({ content: 'a' }), done));
  const end = new StreamEnd();
  const response = await end.fetch(url, ask);

  expect(end.isDone).toBe(false);
  expect(await response.text()).toBe(chunk({ content: 'a' }) + done);
  expect(end.isDone).toBe(true);
});
