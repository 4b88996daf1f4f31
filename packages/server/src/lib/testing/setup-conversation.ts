import type { LogEvent } from '@inlay/protocol';
import { onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { follow, type ReceivedEvent, type TestStream } from './follow.ts';
import { listen } from './listen.ts';
import { type SetupOptions, setupServer } from './setup-server.ts';

/** Query parameters that request the fragments of all event types. */
const allDeltas = 'event_deltas[]=agent.message&event_deltas[]=agent.thinking';

export const message = (text: string) => ({
  type: 'user.message',
  content: [{ type: 'text', text }],
});

export const isType =
  (...types: string[]) =>
  ({ data }: ReceivedEvent) =>
    types.includes(data.type);

/** Serves a platform over HTTP, with one end user; by default with the system clock. */
export async function setupConversation(options: SetupOptions & { fakeClock?: boolean } = {}) {
  const { fakeClock, ...serverOptions } = options;
  const server = await setupServer({
    ...(!fakeClock && { realClock: systemClock }),
    ...serverOptions,
  });
  const http = await listen(server.app);
  const streams: TestStream[] = [];
  onTestFinished(() => {
    for (const stream of streams) stream.cut();
  });
  const base = `${http.url}/agent/v1`;
  const { token, id: issuanceId } = await server.issue();
  const call = (method: string, path: string, body?: unknown, headers = {}, userToken = token) =>
    server.requestAsUser(userToken, method, `/agent/v1${path}`, body, headers);

  return {
    ...server,
    url: http.url,
    connections: http.connections,
    token,
    issuanceId,
    call,
    /** Starts a session with messages. Returns its id. */
    async create(...texts: string[]): Promise<string> {
      const response = await call('POST', '/sessions', { initial_events: texts.map(message) });
      if (response.status !== 200) throw new Error(await response.text());
      return ((await response.json()) as { id: string }).id;
    },
    send: (id: string, events: object[], headers = {}) =>
      call('POST', `/sessions/${id}/events`, { events }, headers),
    /** Opens a session's stream, by default from the first event. */
    async follow(id: string, headers: Record<string, string> = {}, userToken = token) {
      const stream = await follow(`${base}/sessions/${id}/events/stream?${allDeltas}`, userToken, {
        headers: { 'last-event-id': '0', ...headers },
      });
      streams.push(stream);
      return stream;
    },
    /** Reads the events of a session. */
    async log(id: string): Promise<LogEvent[]> {
      const response = await call('GET', `/sessions/${id}/events?limit=200`);
      return ((await response.json()) as { data: LogEvent[] }).data;
    },
    async session(id: string) {
      return (await call('GET', `/sessions/${id}`)).json();
    },
  };
}
