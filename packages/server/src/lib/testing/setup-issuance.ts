import { IssuanceRecordPage, IssueTokenResponse } from '@inlay/protocol';
import { expect } from 'vitest';
import { type SetupOptions, setupServer, testOrigin } from './setup-server.ts';

export const path = '/agent/v1/embed_tokens';
/** The least that a token can be asked for with. */
export const least = { agent: 'test', external_user_id: 'ada' };
export const secondOrigin = 'https://*.example.org';
/** Bounds on everything, and somebody who is blocked. */
export const policy = {
  allowed_origins: [testOrigin, secondOrigin, 'http://localhost:*'],
  max_ttl_seconds: 1800,
  max_budget_cents: 500,
  blocked_end_users: ['eve'],
};

const servers: { close(): Promise<void> }[] = [];

/** For `afterAll` of each file that sets servers up. */
export async function closeIssuanceServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}

/** A server that lasts as long as the tests of its file, and what its records hold. */
export async function setupIssuance(options: SetupOptions) {
  const server = await setupServer(options);
  servers.push(server);
  return {
    ...server,
    /** The record that a request makes, and what the answer said beside it. */
    async record(body: object) {
      const response = await server.backend('POST', path, { ...least, ...body });
      expect(response.status).toBe(200);
      const issued = IssueTokenResponse.parse(await response.json());
      const list = await server.backend('GET', `${path}?limit=100`);
      const record = IssuanceRecordPage.parse(await list.json()).data.find(
        ({ id }) => id === issued.id,
      );
      if (!record) throw new Error('the record is not listed');
      const ttl = (Date.parse(record.expires_at) - Date.parse(record.created_at)) / 1000;
      return { record, issued, ttl };
    },
  };
}

export const text = (value: string) => ({ type: 'text', text: value });
export const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
