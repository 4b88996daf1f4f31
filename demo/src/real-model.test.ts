import { createServer, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { Site } from '../../e2e/site.ts';
import { listen } from './listen.ts';

it('the demo talks to the model of `INLAY_MODEL_BASE_URL`', async () => {
  const asked: string[] = [];
  const vendor = createServer(async (request, response) => {
    asked.push(`${request.url} ${await bodyOf(request)}`);
    const delta = { content: 'From Innsbruck at **22:40**.' };
    const chunk = { choices: [{ index: 0, delta, finish_reason: 'stop' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  const port = await listen(vendor, 0);
  onTestFinished(() => void vendor.close());
  const site = await Site.start({
    INLAY_MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`,
    INLAY_MODEL: 'night-model',
  });
  onTestFinished(() => site.stop());

  const issued = await fetch(`${site.platform}/agent/v1/embed_tokens/anonymous`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost:1' },
    body: JSON.stringify({ agent_id: 'demo', publishable_key: 'pk_demo' }),
  });
  const { token } = await issued.json();
  const answer = await fetch(`${site.platform}/agent/v1/sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      origin: 'http://localhost:1',
    },
    body: JSON.stringify({
      initial_events: [
        { type: 'user.message', content: [{ type: 'text', text: 'When does a train leave?' }] },
      ],
    }),
  });
  let text = '';
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('session.status_idle')) break;
  }

  expect(text).toContain('From Innsbruck at **22:40**.');
  expect(asked[0]).toMatch(/^\/v1\/chat\/completions .*"night-model".*Lisbon Oriente/);
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}
