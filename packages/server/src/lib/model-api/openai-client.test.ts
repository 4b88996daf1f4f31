import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { setupServer, testApiKey } from '../testing/setup-server.ts';

it('an OpenAI client of `/model/v1` reads the errors, and does not retry what cannot succeed', async () => {
  const { app } = await setupServer();
  let requests = 0;
  const client = (apiKey: string) =>
    new OpenAI({
      apiKey,
      baseURL: 'https://chat.example.test/model/v1',
      fetch: async (url, init) => {
        requests += 1;
        return app.request(String(url), init);
      },
    });
  const complete = (apiKey: string, model: string) =>
    client(apiKey).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] });

  await expect(complete(testApiKey, 'none')).rejects.toMatchObject({
    status: 404,
    type: 'invalid_request_error',
    code: expect.any(String),
    message: expect.stringMatching(/none/),
  });
  await expect(complete('sk-wrong', 'none')).rejects.toMatchObject({
    status: 401,
    message: expect.stringMatching(/API key/),
  });
  expect(requests).toBe(2);
});

it('an OpenAI client of `/model/v1` learns the address of other endpoints', async () => {
  const { app } = await setupServer();
  const client = new OpenAI({
    apiKey: testApiKey,
    baseURL: 'https://chat.example.test/model/v1',
    fetch: async (url, init) => app.request(String(url), init),
  });

  const call = client.responses.create({ model: 'scripted', input: 'Hi' });

  await expect(call).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
    message: expect.stringContaining('/chat-model/v1'),
  });
});
