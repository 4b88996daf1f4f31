import { describe, expect, it } from 'vitest';
import { readCommandLine } from './command-line.ts';
import { startControl } from './control.ts';
import { ask, echo, setup } from './testing/setup.ts';

describe('readCommandLine', () => {
  it('parses faults and the requests that they apply to', () => {
    const read = readCommandLine([
      '--to=http://localhost:1',
      '--fault=cut,after=300,how=reset,path=/a=b,nth=2',
      '--fault=buffer,head=true',
    ]);

    expect(read).toMatchObject({
      port: 8790,
      control: 8791,
      halfOpenTimeoutMs: Number.POSITIVE_INFINITY,
      faults: [
        { fault: { type: 'cut', after: 300, how: 'reset' }, match: { path: '/a=b', nth: 2 } },
        { fault: { type: 'buffer', head: true }, match: {} },
      ],
    });
  });

  it.each([
    [[], '--to is missing'],
    [['--to=x', '--port=99999'], '--port is "99999"'],
    [['--to=x', '--fault=explode'], 'type is "explode"; use one of cut, '],
    [['--to=x', '--fault=cut,after=-1'], 'after is "-1"; use a whole number'],
    [['--to=x', '--fault=cut,length=3'], 'length is not a field of a fault of type cut'],
    [['--to=x', '--fault=delay'], 'needs ms'],
    [['--to=x', '--fault=split,bytes=0'], 'at least 1'],
    [['--to=x', '--fault=cut,how=softly'], 'half-open, reset, fin'],
    [['--to=x', '--fault=cut,after'], '"after" is not <field>=<value>'],
  ])('rejects %j with an error that names the invalid part', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(message);
  });
});

describe('the control endpoint', () => {
  it('adds and removes faults, switches offline and online, returns the state, and rejects invalid calls', async () => {
    const proxy = await setup(echo);
    const control = await startControl(proxy, 0);
    const call = async (path: string, body?: unknown, method = body ? 'POST' : 'GET') => {
      const response = await fetch(`http://127.0.0.1:${control.port}${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };

    await call('/faults', { fault: { type: 'answer', status: 503 }, match: { times: 1 } });
    const answers = [(await ask(proxy.url)).status, (await ask(proxy.url)).status];
    const shown = await call('/');
    await call('/faults', undefined, 'DELETE');
    await call('/offline', { how: 'reset' });
    const offline = await ask(proxy.url).catch(({ code }) => code);
    await call('/online', {});
    const online = await ask(proxy.url);
    const wrong = await call('/cut', { how: 'softly' });
    const unknown = await call('/nowhere');
    await control.close();

    expect(answers).toEqual([503, 200]);
    expect(shown.body).toMatchObject({
      offline: false,
      faults: [{ fault: { type: 'answer' }, timesApplied: 1 }],
      counts: { requests: 2 },
    });
    expect(proxy.faults.list).toEqual([]);
    expect([offline, online.status]).toEqual(['ECONNRESET', 200]);
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('softly') },
    });
    expect(unknown.status).toBe(404);
  });

  it('rejects requests that a page could send without a CORS preflight', async () => {
    const proxy = await setup(echo);
    const control = await startControl(proxy, 0);

    const response = await fetch(`http://127.0.0.1:${control.port}/offline`, {
      method: 'POST',
      body: '{}',
    });
    await control.close();

    expect([response.status, proxy.isOffline]).toEqual([400, false]);
  });
});
