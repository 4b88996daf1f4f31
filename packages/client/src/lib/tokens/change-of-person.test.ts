import { describe, expect, it } from 'vitest';
import { setupClient } from '../testing/client-setup.ts';
import { codeOf, setupTokens } from '../testing/token-setup.ts';

describe('a token that arrives too late', () => {
  it('T23: is dropped after the manager was closed', async () => {
    let answer: (token: string) => void = () => {};
    const { manager, clock, page, described, states } = setupTokens({
      getToken: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const waiting = codeOf(manager.get());
    await clock.advance(1_000);
    manager.close();
    const told = states.length;
    answer('et_late');
    await clock.advance(0);

    expect(await waiting).toBe('CLOSED');
    expect(described).toEqual([]);
    expect(states).toHaveLength(told);
    expect([clock.pending, page.watchers]).toEqual([0, 0]);
  });

  it('T24: is not used for the next user', async () => {
    const answers: ((token: string) => void)[] = [];
    const { client, platform } = await setupClient({
      getToken: () => new Promise((resolve) => answers.push(resolve)),
    });
    const former = [client.config(), client.sessions.list(), client.conversation().send('As Ada')];
    const outcomes = Promise.all(former.map(codeOf));
    await new Promise((resolve) => setImmediate(resolve));
    client.reset();
    const next = Promise.all([client.sessions.list(), client.conversation().send('As Bob')]);
    await new Promise((resolve) => setImmediate(resolve));
    answers[0]?.('et_ada');
    await new Promise((resolve) => setImmediate(resolve));
    answers[1]?.('et_bob');
    await next;

    expect(answers).toHaveLength(2);
    for (const outcome of await outcomes) expect(['SUBJECT_CHANGED', 'CLOSED']).toContain(outcome);
    expect(new Set(platform.arrivals.map(({ token }) => token))).toEqual(new Set(['et_bob']));
    expect(JSON.stringify([...platform.sessions.values()].map(({ log }) => log))).not.toContain(
      'As Ada',
    );
  });
});
