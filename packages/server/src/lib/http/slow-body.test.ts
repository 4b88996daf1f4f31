import { IssuanceRecordPage, Problem } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { sendIncomplete } from '../testing/incomplete-request.ts';
import { listen } from '../testing/listen.ts';
import { setupServer, testApiKey } from '../testing/setup-server.ts';

describe('a JSON body that does not arrive', () => {
  it('causes a 408 after `request.body_seconds`, and has no effect', async () => {
    const server = await setupServer({ config: { limits: { request: { body_seconds: 7 } } } });
    const http = await listen(server.app);
    const incompleteRequest = await sendIncomplete(http.url, {
      method: 'POST',
      path: '/agent/v1/embed_tokens',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agent: 'test', external_user_id: 'ada' }),
    });
    let response: Awaited<ReturnType<typeof incompleteRequest.readResponse>> | undefined;
    void incompleteRequest.readResponse().then((received) => {
      response = received;
    });

    // The server may start its timer only after the clock is advanced for the first time.
    const statusLater = () => {
      server.clock.advance(7_000);
      return response?.status;
    };
    await expect.poll(statusLater).toBe(408);

    const problem = Problem.parse(JSON.parse(response?.body ?? ''));
    expect(problem).toMatchObject({ code: 'REQUEST_TIMEOUT', retryable: true });
    expect(problem.detail).toContain('7 seconds');
    const list = await server.backend('GET', '/agent/v1/embed_tokens');
    expect(IssuanceRecordPage.parse(await list.json()).data).toEqual([]);
  });
});
