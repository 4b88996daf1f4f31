import { type AgentApi, type CallOptions, sessionPath } from '../http/api.ts';
import { readBlob } from '../http/request.ts';
import type { Sessions } from '../inlay-client.ts';
import { readForgotten, readSession, readSessionPage } from '../responses/read-responses.ts';

/**
 * Creates the session functions of the end user.
 *
 * @param userSignal Returns a signal that is aborted when the user changes.
 */
export function ownSessions(platform: AgentApi, userSignal: () => AbortSignal): Sessions {
  const callSession = (id: string, options?: CallOptions, action = '') =>
    platform.call(`${sessionPath(id)}${action}`, readSession, options);
  return {
    list: ({ signal, ...query } = {}) =>
      platform.call('/sessions', readSessionPage, { query, signal }),
    get: (id, signal) => callSession(id, { signal }),
    update: (id, body) => callSession(id, { method: 'POST', body }),
    archive: (id) => callSession(id, { method: 'POST', body: {} }, '/archive'),
    unarchive: (id) => callSession(id, { method: 'POST', body: {} }, '/unarchive'),
    export: async (id, format) => {
      const signal = userSignal();
      const response = await platform.send(`${sessionPath(id)}/export`, { query: { format } });
      return readBlob(response, signal);
    },
    delete: async (id) => {
      await platform.send(sessionPath(id), { method: 'DELETE' });
    },
  };
}

/** Deletes all data of the end user on the platform. */
export function forgetMe(platform: AgentApi) {
  return platform.call('/embed/forget_me', readForgotten, { method: 'POST', body: {} });
}
