import { afterEach, describe, expect, it } from 'vitest';
import { setupClient } from '../testing/client-setup.ts';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { codeOf, setupTokens } from '../testing/token-setup.ts';

describe('a token that arrives too late', () => {
  it('T23: is dropped after the token manager is closed', async () => {
    let resolveToken: (token: string) => void = () => {};
    const { manager, clock, page, described, states } = setupTokens({
      getToken: () =>
        new Promise((resolve) => {
          resolveToken = resolve;
        }),
    });
    const pending = codeOf(manager.get());
    await clock.advance(1_000);
    manager.close();
    const statesBefore = states.length;
    resolveToken('et_late');
    await clock.advance(0);

    expect(await pending).toBe('CLOSED');
    expect(described).toEqual([]);
    expect(states).toHaveLength(statesBefore);
    expect([clock.pending, page.watchers]).toEqual([0, 0]);
  });

  it('T24: is not used for the next user', async () => {
    const resolvers: ((token: string) => void)[] = [];
    const { client, platform } = await setupClient({
      getToken: () => new Promise((resolve) => resolvers.push(resolve)),
    });
    const adasCalls = [
      client.config(),
      client.sessions.list(),
      client.conversation().send('As Ada'),
    ];
    const outcomes = Promise.all(adasCalls.map(codeOf));
    await new Promise((resolve) => setImmediate(resolve));
    client.reset();
    const bobsCalls = Promise.all([client.sessions.list(), client.conversation().send('As Bob')]);
    await new Promise((resolve) => setImmediate(resolve));
    resolvers[0]?.('et_ada');
    await new Promise((resolve) => setImmediate(resolve));
    resolvers[1]?.('et_bob');
    await bobsCalls;

    expect(resolvers).toHaveLength(2);
    for (const outcome of await outcomes) expect(['SUBJECT_CHANGED', 'CLOSED']).toContain(outcome);
    expect(new Set(platform.received.map(({ token }) => token))).toEqual(new Set(['et_bob']));
    expect(JSON.stringify([...platform.sessions.values()].map(({ log }) => log))).not.toContain(
      'As Ada',
    );
  });
});

describe('a page that opens a conversation as soon as another one is closed', () => {
  let bed: TestBed;
  afterEach(() => bed.close());

  it.each([
    ['a new conversation', false],
    ['the same session', true],
  ])('T24: gets %s that stays open when the user changes', async (_what, isSameSession) => {
    bed = createTestBed();
    const { id } = bed.platform.createSession({ user: 'ada' });
    const opened: ReturnType<TestBed['client']['conversation']>[] = [];
    const open = () => {
      // Each conversation that is closed immediately would open another one, without end.
      if (opened.length === 3) return;
      const conversation = bed.client.conversation(isSameSession ? id : undefined);
      opened.push(conversation);
      conversation.subscribe(() => {
        if (conversation.state.connection === 'closed') open();
      });
    };
    open();
    await bed.clock.advance(10_000);
    bed.client.reset();
    await bed.clock.advance(10_000);

    expect(opened).toHaveLength(2);
    await opened[1]?.send('Hello');
  });
});
