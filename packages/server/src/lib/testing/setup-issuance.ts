import { IssuanceRecordPage, IssueTokenResponse } from '@inlay/protocol';
import { expect } from 'vitest';
import { type SetupOptions, setupServer, testOrigin } from './setup-server.ts';

export const path = '/agent/v1/embed_tokens';
/** The minimal token request. */
export const minimalRequest = { agent: 'test', external_user_id: 'ada' };
export const secondOrigin = 'https://*.example.org';
/** A policy with all limits and a blocked user. */
export const policy = {
  allowed_origins: [testOrigin, secondOrigin, 'http://localhost:*'],
  max_ttl_seconds: 1800,
  max_budget_cents: 500,
  blocked_end_users: ['eve'],
};

/** Sets up a server with access to issuance records. */
export async function setupIssuance(options: SetupOptions) {
  const server = await setupServer(options);
  return {
    ...server,
    /** Issues a token. Returns its record, the response, and the lifetime in seconds. */
    async issueToken(body: object) {
      const response = await server.backend('POST', path, { ...minimalRequest, ...body });
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

/**
 * Creates a `system_message` of two blocks: a text, and as many ASCII characters as are needed to
 * reach the size.
 *
 * @param bytes Size of both texts in UTF-8.
 */
export function systemMessageOf(value: string, bytes: number) {
  const rest = bytes - Buffer.byteLength(value);
  return [text(value), text('x'.repeat(rest))];
}

/** Creates metadata with this number of keys. */
export const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
