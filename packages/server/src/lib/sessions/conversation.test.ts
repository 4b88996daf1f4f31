import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { follow } from '../testing/follow.ts';
import { listen } from '../testing/listen.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

async function setup(options: SetupOptions = {}) {
  const server = await setupServer({ realClock: systemClock, ...options });
  const { url, close } = await listen(server.app);
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  const { token } = await server.issue();
  const send = async (id: string, events: object[], headers = {}) =>
    server.endUser(token, 'POST', `/agent/v1/sessions/${id}/events`, { events }, headers);
  return { ...server, url: `${url}/agent/v1`, token, send };
}

const message = (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] });
const isIdle = ({ data }: { data: { type: string } }) => data.type === 'session.status_idle';

describe('a conversation', () => {
  it('is created, answered and streamed in one round trip', async () => {
    const { url, token } = await setup();

    const stream = await follow(
      `${url}/sessions?event_deltas[]=agent.message&event_deltas[]=agent.thinking`,
      token,
      { body: { initial_events: [message('think')] } },
    );
    await stream.until(isIdle);

    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(stream.response.headers.get('access-control-allow-origin')).toBeTruthy();
    expect(
      stream.seen.map(({ data }) => data.type).filter((type) => type !== 'event_delta'),
    ).toEqual([
      'session.created',
      'user.message',
      'session.status_running',
      'span.model_request_start',
      'event_start',
      'agent.thinking',
      'event_start',
      'agent.message',
      'span.model_request_end',
      'session.status_idle',
    ]);
    expect(stream.seen.map(({ id }) => id).slice(0, 3)).toEqual([undefined, '1', '2']);
    stream.cut();
  });
});
