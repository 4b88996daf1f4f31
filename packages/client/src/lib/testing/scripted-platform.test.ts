import { describe, expect, it } from 'vitest';
import { hostedCode } from '../tokens/sources/hosted-code.ts';
import { setupBed } from './bed-setup.ts';
import type { ScriptStep } from './platform/script.ts';
import { createScriptedPlatform } from './platform/scripted-platform.ts';
import type { TestBedOptions } from './test-bed.ts';

/** Starts a conversation with a message. */
async function startConversation(options: TestBedOptions, message = 'Hi') {
  const bed = setupBed(options);
  const conversation = bed.client.conversation();
  await conversation.send(message);
  const shown = () =>
    conversation.state.entries.map((entry) => {
      if (entry.kind === 'tool') return `${entry.name} ${entry.progress}`;
      if (entry.kind === 'card') return 'card';
      return entry.kind === 'notice' ? entry.code : entry.text;
    });
  return { bed, conversation, shown };
}

describe('the answer of a scripted platform', () => {
  it('streams fragments as time advances', async () => {
    const { bed, shown } = await startConversation({
      answer: [{ say: 'One two three', delay_ms: 100 }],
    });
    await bed.clock.advance(99);
    expect(shown()).toEqual(['Hi']);
    await bed.clock.advance(1);
    expect(shown()).toEqual(['Hi', 'One']);
    await bed.clock.advance(200);
    expect(shown()).toEqual(['Hi', 'One two three']);
  });

  it('waits at each hold until the hold is released, or continues if it was released before', async () => {
    const { bed, conversation, shown } = await startConversation({
      answer: [{ say: 'A' }, { hold: 'b' }, { say: 'B' }, { hold: 'c' }, { say: 'C' }],
    });
    bed.platform.release('c');
    await bed.clock.advance(60_000);
    expect(shown()).toEqual(['Hi', 'A']);
    bed.platform.release('b');
    await bed.until(() => !conversation.state.running);
    expect(shown()).toEqual(['Hi', 'ABC']);
  });

  it('includes a reply to a message that is sent during the same run', async () => {
    const { bed, conversation, shown } = await startConversation({
      answer: [{ say: 'You said {text}.' }, { wait_ms: 1_000 }],
    });
    await conversation.send('and this');
    await bed.until(() => !conversation.state.running);
    expect(shown()).toEqual(['Hi', 'You said Hi.', 'and this', 'You said and this.']);
  });

  it('can be the result of a function that is called for each message and may return null', async () => {
    const { bed, conversation, shown } = await startConversation({
      answer: ({ text, user, sessionId }) => (text === 'Hi' ? null : `${user} ${sessionId}`),
    });
    expect(conversation.state.running).toBe(false);
    bed.platform.session().say('Sent by the test.');
    await conversation.send('Who am I?');
    await bed.until(() => conversation.state.stopReason !== null);
    expect(shown()).toEqual(['Hi', 'Sent by the test.', 'Who am I?', 'ada ses_1']);
  });

  it('ends at an interrupt, also if the test sends its events instead of a script', async () => {
    const { bed, conversation } = await startConversation({ answer: null });
    bed.platform.session().begin();
    await bed.until(() => conversation.state.running);
    conversation.stop();
    await bed.until(() => !conversation.state.running);
    expect(bed.platform.session().log.at(-1)?.type).toBe('session.status_idle');
  });

  it('ends when the budget is used up', async () => {
    const bed = setupBed({
      answer: [{ spend_cents: 3 }, { call: 'look' }, { say: 'Not reached.' }],
    });
    const session = bed.platform.createSession({ user: 'ada', budgetCents: 3 });
    const conversation = bed.client.conversation(session.id);
    await conversation.send('Hi');
    await bed.until(() => conversation.state.stopReason?.type === 'budget_reached');
    expect(session.toObject().budget).toEqual({ limit_cents: 3, spent_cents: 3 });
    expect(session.log.at(-2)).toMatchObject({ error: { code: 'EMBED_BUDGET_EXCEEDED' } });
  });

  it('is rejected if a step is invalid', async () => {
    const invalid = { says: 'Hi' } as unknown as ScriptStep;
    expect(() => createScriptedPlatform({ answer: [invalid] })).toThrow(
      'A step of an answer must have exactly one of say, think, cite, call',
    );
  });
});

describe('ScriptedPlatform', () => {
  it.each([
    [
      'a repeated field name',
      [
        { type: 'field', name: 'a', label: 'A', kind: 'text' },
        { type: 'field', name: 'a', label: 'B', kind: 'text' },
      ],
      '/blocks/1/name must not be the name of another field of this card',
    ],
    [
      'a row with more cells than columns',
      [{ type: 'table', columns: [{ label: 'A' }], rows: [['1'], ['1', '2']] }],
      '/blocks/0/rows/1 must have 1 cells, one for each column',
    ],
    [
      'a chart whose series has more values than labels',
      [{ type: 'chart', kind: 'bar', labels: ['a'], series: [{ label: 's', values: [1, 2] }] }],
      '/blocks/0/series/0/values must have 1 values, one for each label',
    ],
    [
      'a button with neither an action nor a URL',
      [{ type: 'buttons', buttons: [{ label: 'Go' }] }],
      '/blocks/0/buttons/0 must have either `action` or `url`',
    ],
    [
      'more than 100000 characters',
      Array.from({ length: 11 }, () => ({ type: 'text', text: 'x'.repeat(10_000) })),
      '/ must have at most 100000 characters as JSON',
    ],
  ])('rejects a card with %s', async (_, blocks, error) => {
    const { bed, conversation, shown } = await startConversation({
      answer: [{ call: 'show_card', input: { blocks } }],
    });
    await bed.until(() => conversation.state.stopReason !== null);
    expect(shown()).toEqual(['Hi', 'show_card failed']);
    expect(bed.platform.session().log).toContainEqual(
      expect.objectContaining({
        type: 'agent.tool_result',
        is_error: true,
        content: [{ type: 'text', text: `Nothing was shown.\n${error}` }],
      }),
    );
  });

  it('records requests without secrets', async () => {
    const { bed } = await startConversation({});
    const address = `${bed.platform.baseUrl}/agent/v1`;
    const code = bed.platform.hostedUrl('ada').split('#c=')[1];
    await bed.platform.fetch(`${address}/embed/exchange`, {
      method: 'POST',
      body: JSON.stringify({ code }),
    });
    const create = bed.platform.requests.find(({ name }) => name === 'POST /sessions');
    expect(create).toMatchObject({ method: 'POST', user: 'ada', tokenId: 'emb_1' });
    expect(create?.headers['idempotency-key']).toMatch(/^key_/);
    expect(create?.path).toMatch(/^\/sessions\?event_deltas/);
    const recorded = JSON.stringify(bed.platform.requests);
    expect(recorded).not.toMatch(/et_\d/);
    expect(recorded).not.toContain(code);
  });

  it('replaces the global fetch for its own address only', async () => {
    const original = globalThis.fetch;
    const forwarded: string[] = [];
    globalThis.fetch = async (input) => {
      forwarded.push(String(input));
      return new Response();
    };
    const platform = createScriptedPlatform({ baseUrl: 'https://chat.example/' });
    const restore = platform.interceptFetch();
    const intercepted = await fetch('https://chat.example/agent/v1/embed/config');
    await fetch('https://chat.example/logo.png');
    await fetch(new Request('https://elsewhere.example/agent/v1/embed/config'));
    restore();
    await fetch('https://chat.example/agent/v1/embed/config');
    globalThis.fetch = original;
    expect(intercepted.status).toBe(401);
    expect(platform.requests).toHaveLength(1);
    expect(forwarded).toHaveLength(3);
  });

  it('throws for unknown addresses, tokens and sessions', async () => {
    const platform = createScriptedPlatform();
    await expect(platform.fetch('https://chat.example/agent/v1/sessions')).rejects.toThrow(
      'the scripted platform is at https://platform.test/agent/v1',
    );
    expect(() => platform.revoke('et_unknown')).toThrow('did not issue this token');
    expect(() => platform.session()).toThrow('There is no session yet');
  });

  it('runs in real time without a fake clock', async () => {
    const platform = createScriptedPlatform({ answer: [{ wait_ms: 20 }, { say: 'Late.' }] });
    const session = platform.createSession({ user: 'ada' });
    session.ask('Hi');
    const { token } = platform.issue('ada');
    const address = `${platform.baseUrl}/agent/v1/sessions/${session.id}/events`;
    const response = await platform.fetch(`${address}?order=asc&after_seq=3&wait=5`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await response.json()) as { data: { type: string }[] };
    expect(data[0]?.type).toBe('agent.message');
  });

  it('sends comments on idle streams, and ends each stream after about ten minutes', async () => {
    const { bed, conversation } = await startConversation({ answer: null });
    await bed.clock.advance(470_000);
    expect(conversation.state.connection).toBe('open');
    expect(bed.platform.count('GET /sessions/{id}/events/stream')).toBe(0);
    await bed.clock.advance(200_000);
    expect(conversation.state.connection).toBe('open');
    expect(bed.platform.count('GET /sessions/{id}/events/stream')).toBe(1);
  });

  it('exchanges the code of a hosted page', async () => {
    const bed = setupBed();
    const href = bed.platform.hostedUrl('kim');
    const page = {
      location: { href, hash: new URL(href).hash },
      history: { state: null, replaceState: () => {} },
      document: new EventTarget(),
    };
    const tab = bed.openTab({ tokens: hostedCode(page) });
    expect((await tab.client.config()).token.external_user_id).toBe('kim');
  });
});
