import { describe, expect, it } from 'vitest';
import { setupServer, testApiKey } from '../testing/setup-server.ts';

const call = async (path: string, headers: Record<string, string> = {}) => {
  const { app } = await setupServer();
  return app.request(path, { method: 'POST', headers });
};
const authorization = `Bearer ${testApiKey}`;

describe.each(['/sandbox/v1/sandboxes', '/search/v1/search', '/sandbox', '/search'])(
  '7.1: POST %s (a service that the platform does not have)',
  (path) => {
    it('gets a 501 problem with a request id and rate-limit headers', async () => {
      const response = await call(path, { authorization });

      expect(response.status).toBe(501);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('x-service-problem-code')).toBe('not_implemented');
      expect(response.headers.get('x-service-problem-retryable')).toBe('false');
      expect(response.headers.get('x-request-id')).toBeTruthy();
      expect(response.headers.has('x-ratelimit-limit-requests')).toBe(true);
      expect(await response.json()).toMatchObject({ code: 'not_implemented', status: 501 });
    });

    it.each([{}, { authorization: 'Bearer wrong' }])(
      'gets a 401 without a valid API key: headers %j',
      async (headers) => {
        const response = await call(path, headers);

        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({ code: 'AUTHENTICATION_ERROR' });
      },
    );
  },
);
