import { IssueTokenResponse } from '@inlay/protocol';
import { onTestFinished } from 'vitest';
import { follow, type TestStream } from './follow.ts';
import { testApiKey, testOrigin } from './setup-server.ts';

/** Calls the API of a running platform: of one process, or through a proxy. */
export interface PlatformApi {
  readonly url: string;
  /** Calls the API with a credential; null for none. */
  call(
    credential: string | null,
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** Calls the API as the host's backend. */
  backend(method: string, path: string, body?: object): Promise<Response>;
  issue(user: string, fields?: object): Promise<IssueTokenResponse>;
  /** Opens a session's stream, by default from the first event. */
  follow(token: string, sessionId: string, lastEventId?: string): Promise<TestStream>;
}

export function createPlatformApi(url: string): PlatformApi {
  const call: PlatformApi['call'] = (credential, method, path, body, headers = {}) =>
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
