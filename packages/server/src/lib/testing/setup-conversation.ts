import type { LogEvent } from '@inlay/protocol';
import { onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { type Followed, type Following, follow } from './follow.ts';
import { listen } from './listen.ts';
import { type SetupOptions, setupServer } from './setup-server.ts';

/** Every kind of fragment. */
const everyDelta = 'event_deltas[]=agent.message&event_deltas[]=agent.thinking';

export const message = (text: string) => ({
  type: 'user.message',
  content: [{ type: 'text', text }],
});

export const isType =
  (...types: string[]) =>
  ({ data }: Followed) =>
    types.includes(data.type);

/** A platform on a port, with the real clock unless told otherwise, and one end user who talks with it. */
export async function setupConversation(options: SetupOptions & { fakeClock?: boolean } = {}) {
  const { fakeClock, ...rest } = options;
  const server = await setupServer({ ...(!fakeClock && { realClock: systemClock }), ...rest });
  const port = await listen(server.app);
  const streams: Following[] = [];
  onTestFinished(async () => {
    for (const stream of streams) stream.cut();
    await port.close();
    await server.close();
  });
  const base = `${port.url}/agent/v1`;
  const { token, id: issuanceId } = await server.issue();
  const call = (method: string, path: string, body?: unknown, headers = {}, as = token) =>
    server.endUser(as, method, `/agent/v1${path}`, body, headers);

  return {
    ...server,
    url: port.url,
    connections: port.connections,
    token,
    issuanceId,
    call,
    /** Starts a session, with messages. */
    async create(...texts: string[]): Promise<string> {
      const response = await call('POST', '/sessions', { initial_events: texts.map(message) });
      if (response.status !== 200) throw new Error(await response.text());
      return ((await response.json()) as { id: string }).id;
    },
    send: (id: string, events: object[], headers = {}) =>
      call('POST', `/sessions/${id}/events`, { events }, headers),
    /** Follows a session, from the beginning unless told otherwise. */
    async follow(id: string, headers: Record<string, string> = {}, as = token) {
      const stream = await follow(`${base}/sessions/${id}/events/stream?${everyDelta}`, as, {
        headers: { 'last-event-id': '0', ...headers },
      });
      streams.push(stream);
      return stream;
    },
    async log(id: string): Promise<LogEvent[]> {
      const response = await call('GET', `/sessions/${id}/events?limit=200`);
      return ((await response.json()) as { data: LogEvent[] }).data;
    },
    async session(id: string) {
      return (await call('GET', `/sessions/${id}`)).json();
    },
  };
}
