import { IssueTokenResponse } from '@inlay/protocol';
import { onTestFinished } from 'vitest';
import { type Following, follow } from './follow.ts';
import { testApiKey, testOrigin } from './setup-server.ts';

/** An address at which the platform answers: of one process, or of a proxy before several. */
export interface PlatformDoor {
  readonly url: string;
  /** Calls with a credential, or without one for null. */
  call(
    credential: string | null,
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
  backend(method: string, path: string, body?: object): Promise<Response>;
  issue(user: string, fields?: object): Promise<IssueTokenResponse>;
  /** Follows a session, from its beginning unless told otherwise. */
  follow(token: string, sessionId: string, lastEventId?: string): Promise<Following>;
}

export function platformDoor(url: string): PlatformDoor {
  const call: PlatformDoor['call'] = (credential, method, path, body, headers = {}) =>
    fetch(`${url}/agent/v1${path}`, {
      method,
      headers: {
        ...(credential !== testApiKey && { origin: testOrigin }),
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    url,
    call,
    backend: (method, path, body) => call(testApiKey, method, path, body),
    async issue(user, fields = {}) {
      const body = { agent: 'test', external_user_id: user, ...fields };
      const response = await call(testApiKey, 'POST', '/embed_tokens', body);
      if (response.status !== 200) throw new Error(await response.text());
      return IssueTokenResponse.parse(await response.json());
    },
    async follow(token, sessionId, lastEventId = '0') {
      const stream = await follow(
        `${url}/agent/v1/sessions/${sessionId}/events/stream?event_deltas[]=agent.message`,
        token,
        { headers: { 'last-event-id': lastEventId } },
      );
      onTestFinished(() => stream.cut());
      return stream;
    },
  };
}
