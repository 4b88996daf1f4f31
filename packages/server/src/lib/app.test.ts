import { describe, expect, it } from 'vitest';
import { setupServer } from './testing/setup-server.ts';

describe('createApp', () => {
  it('refuses a request for an unknown path with the body and the headers of a 404 problem', async () => {
    const { requestAsPage } = await setupServer();

    const response = await requestAsPage('GET', '/agent/v1/nowhere');

    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-service-problem-code': 'NOT_FOUND',
      'x-service-problem-kind': 'not_found',
      'x-service-problem-origin': 'user',
      'x-service-problem-retryable': 'false',
      'x-service-recovery-action': 'check_identifier',
      'x-ratelimit-limit-requests': '100000',
      'access-control-allow-origin': 'https://app.example.com',
    });
    expect(await response.json()).toMatchObject({
      type: 'https://chat.example.test/problems/not-found',
      status: 404,
      code: 'NOT_FOUND',
      retryable: false,
    });
  });
});
