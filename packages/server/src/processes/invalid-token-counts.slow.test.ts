import { expect, it } from 'vitest';
import {
  chatEndpoint,
  chunk,
  done,
  finish,
  type Handler,
  stream,
  streamThenHang,
} from '../lib/testing/chat-endpoint.ts';
import { startProcess } from '../lib/testing/server-process.ts';
import { isType, message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

const respondWithUsage = (usage: string): Handler =>
  stream(
    chunk({ content: 'All is well.' }),
    finish(),
    `data: {"choices":[],"usage":${usage}}\n\n`,
    done,
  );

it('a server whose provider reported invalid token counts responds to new messages after a restart', async () => {
  const { url, requests } = await chatEndpoint(
    respondWithUsage('{"prompt_tokens":true,"completion_tokens":true}'),
    // The first process is killed during this response, so that the second one takes over the run.
    streamThenHang(chunk({ content: 'All' })),
    respondWithUsage('{"prompt_tokens":true,"completion_tokens":true}'),
    respondWithUsage('{"prompt_tokens":1e308,"completion_tokens":-1e308}'),
    respondWithUsage('null'),
  );
  const data = temporaryFolder();
  const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
  const config = {
    prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: { provider: 'openai-compatible' as const, base_url: url, model: 'm' },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
    ],
  };
  const idle = isType('session.status_idle');
  const endOfTurn = { stop_reason: { type: 'end_turn' } };

  const first = await startProcess(data, config);
  const { token } = await first.issue('ada');
  const body = { initial_events: [message('one')] };
  const created = await first.call(token, 'POST', '/sessions', body);
  const { id } = (await created.json()) as { id: string };
  const send = (server: typeof first, text: string) =>
    server.call(token, 'POST', `/sessions/${id}/events`, { events: [message(text)] });
  const reader = await first.follow(token, id);
  expect((await reader.until(idle)).data).toMatchObject(endOfTurn);
  await send(first, 'two');
  await reader.until(isType('event_delta'));
  await first.kill();

  const second = await startProcess(data, config);
  const continued = await second.follow(token, id, reader.seen.findLast((event) => event.id)?.id);
  expect((await continued.until(idle)).data).toMatchObject(endOfTurn);
  await second.kill();

  const third = await startProcess(data, config);
  for (const text of ['three', 'four']) {
    const next = await third.follow(token, id, undefined);
    await send(third, text);
    await next.until(({ data: event }) => JSON.stringify(event).includes(`"${text}"`));
    expect((await next.until(idle)).data).toMatchObject(endOfTurn);
  }

  expect(requests).toHaveLength(5);
  const session = await (await third.call(token, 'GET', `/sessions/${id}`)).json();
  const { usage } = session as { usage: { output_tokens: number; spent_cents: number } };
  // Three estimated tokens for each of the four complete responses.
  expect(usage.output_tokens).toBe(12);
  expect(usage.spent_cents).toBeGreaterThan(0);
  expect(usage.spent_cents).toBeLessThan(1);
});
