import { type AgentApi, type CallOptions, sessionPath } from '../http/api.ts';
import { readBlob } from '../http/request.ts';
import type { Sessions } from '../inlay-client.ts';
import { readForgotten, readSession, readSessionPage } from '../wire/answers.ts';

/** The conversations of the user. `life` returns a signal that is aborted when the user changes. */
export function ownSessions(platform: AgentApi, life: () => AbortSignal): Sessions {
  const one = (id: string, options?: CallOptions, action = '') =>
    platform.call(`${sessionPath(id)}${action}`, readSession, options);
  return {
    list: ({ signal, ...query } = {}) =>
      platform.call('/sessions', readSessionPage, { query, signal }),
    get: (id, signal) => one(id, { signal }),
    update: (id, body) => one(id, { method: 'POST', body }),
    archive: (id) => one(id, { method: 'POST', body: {} }, '/archive'),
    unarchive: (id) => one(id, { method: 'POST', body: {} }, '/unarchive'),
    export: async (id, format) => {
      const signal = life();
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
