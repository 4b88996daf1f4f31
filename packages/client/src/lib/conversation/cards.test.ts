import type { Card } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBedOptions } from '../testing/test-bed.ts';

const card: Card = {
  title: 'Seats',
  blocks: [
    { type: 'field', name: 'seats', label: 'Seats', kind: 'number', required: true, max: 4 },
    { type: 'buttons', buttons: [{ label: 'Book', action: 'book' }] },
  ],
};

async function startConversation(options: TestBedOptions) {
  const bed = setupBed(options);
  const conversation = bed.client.conversation();
  await conversation.send('Hi');
  await bed.until(() => !conversation.state.running);
  return { bed, conversation };
}

const findEntry = <Kind extends string>({ state }: Conversation, kind: Kind) => {
  const found = state.entries.find((entry) => entry.kind === kind);
  return found as Extract<NonNullable<typeof found>, { kind: Kind }> | undefined;
};

describe('a card', () => {
  const answer = ({ text }: { text: string }) =>
    text === 'Hi' ? [{ call: 'show_card', input: card }] : [{ say: 'Booked.' }];

  it('shows the user’s answer immediately, starts a run, and rejects a second answer', async () => {
    const { bed, conversation } = await startConversation({ answer });
    const entry = findEntry(conversation, 'card');
    expect(entry).toMatchObject({ card, answer: null, progress: 'open' });
    const sent = conversation.answerCard(entry?.id ?? '', 'book', { seats: 2 });
    const cardAnswer = { action: 'book', values: { seats: 2 } };
    expect(findEntry(conversation, 'card')).toMatchObject({
      progress: 'sending',
      answer: cardAnswer,
    });
    await sent;
    await bed.until(() => findEntry(conversation, 'agent') !== undefined);
    expect(findEntry(conversation, 'card')).toMatchObject({
      progress: 'answered',
      answer: cardAnswer,
    });
    await expect(conversation.answerCard(entry?.id ?? '', 'book')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('is open again after an invalid answer, and the error names the field', async () => {
    const { conversation } = await startConversation({ answer });
    const { id } = findEntry(conversation, 'card') ?? {};
    const rejected = conversation.answerCard(id ?? '', 'book', { seats: 5 });
    await expect(rejected).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      problem: { errors: [{ pointer: '/events/0/values/seats' }] },
    });
    expect(findEntry(conversation, 'card')).toMatchObject({ progress: 'open', answer: null });
  });

  it('shows the accepted answer in both tabs when both tabs answer simultaneously', async () => {
    const { bed, conversation } = await startConversation({ answer });
    const id = findEntry(conversation, 'card')?.id ?? '';
    const tab = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => findEntry(tab, 'card') !== undefined);
    const answers = [
      conversation.answerCard(id, 'book', { seats: 1 }),
      tab.answerCard(id, 'book', { seats: 3 }),
    ];
    const results = await Promise.allSettled(answers);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await bed.until(() => findEntry(tab, 'card')?.progress === 'answered');
    await bed.until(() => findEntry(conversation, 'card')?.progress === 'answered');
    expect(findEntry(tab, 'card')?.answer).toEqual(findEntry(conversation, 'card')?.answer);
  });

  it('sends its answer after earlier messages', async () => {
    const { bed, conversation } = await startConversation({ answer });
    bed.goOffline();
    const order: string[] = [];
    const message = conversation.send('First').then(() => order.push('message'));
    const id = findEntry(conversation, 'card')?.id ?? '';
    const action = conversation.answerCard(id, 'book', { seats: 1 }).then(() => order.push('card'));
    await bed.clock.advance(5_000);
    expect(findEntry(conversation, 'card')?.progress).toBe('sending');
    bed.goOnline();
    await Promise.all([message, action]);
    expect(order).toEqual(['message', 'card']);
  });
});

describe('the welcome card', () => {
  const config = { welcome: { card } };

  async function startWelcome(options: TestBedOptions = { config }) {
    const bed = setupBed({ answer: 'Booked.', ...options });
    const conversation = bed.client.conversation();
    await bed.until(() => conversation.state.welcome !== null);
    return { bed, conversation };
  }

  it('starts the conversation with its answer, and is then an entry', async () => {
    const { bed, conversation } = await startWelcome();
    expect(conversation.state).toMatchObject({
      entries: [],
      welcome: { id: 'welcome', card, answer: null, progress: 'open' },
    });

    const sent = conversation.answerCard('welcome', 'book', { seats: 2 });
    const answer = { action: 'book', values: { seats: 2 } };
    expect(conversation.state.welcome).toMatchObject({ progress: 'sending', answer });
    await sent;
    await bed.until(() => findEntry(conversation, 'agent') !== undefined);

    expect(conversation.state.welcome).toBeNull();
    expect(findEntry(conversation, 'card')).toMatchObject({ progress: 'answered', answer, seq: 1 });
    expect(bed.platform.sessions).toHaveLength(1);
    const reopened = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => findEntry(reopened, 'card')?.progress === 'answered');
    expect(reopened.state.welcome).toBeNull();
  });

  it('is open again after an invalid answer, and the error names the field', async () => {
    const { bed, conversation } = await startWelcome();

    await expect(conversation.answerCard('welcome', 'book', { seats: 5 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      problem: { errors: [{ pointer: '/initial_events/0/values/seats' }] },
    });

    expect(conversation.state.welcome).toMatchObject({ progress: 'open', answer: null });
    await conversation.answerCard('welcome', 'book', { seats: 2 });
    await bed.until(() => findEntry(conversation, 'card')?.progress === 'answered');
  });

  it('is answered once, before the messages that were sent after it, when the network returns', async () => {
    const { bed, conversation } = await startWelcome();
    bed.goOffline();
    const sent = conversation.answerCard('welcome', 'book', { seats: 1 });
    await expect(conversation.answerCard('welcome', 'book', { seats: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const message = conversation.send('And a window, please');
    await bed.clock.advance(5_000);
    expect(conversation.state.welcome?.progress).toBe('sending');

    bed.goOnline();
    await Promise.all([sent, message]);
    await bed.until(() => !conversation.state.running);

    expect(conversation.state.entries.map(({ kind }) => kind).slice(0, 1)).toEqual(['card']);
    const types = bed.platform.session().log.map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('user.'))).toEqual([
      'user.card_action',
      'user.message',
    ]);
  });

  it('shows the accepted answer in both tabs that answer it in one empty session', async () => {
    const { bed } = await startWelcome();
    const { id } = bed.platform.createSession({ user: 'ada' });
    const tabs = [bed.client, bed.openTab().client].map((client) => client.conversation(id));
    await bed.until(() => tabs.every(({ state }) => state.welcome !== null && !state.loading));

    const answers = tabs.map((tab, index) =>
      tab.answerCard('welcome', 'book', { seats: index + 1 }),
    );
    const results = await Promise.allSettled(answers);

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await bed.until(() => tabs.every((tab) => findEntry(tab, 'card')?.progress === 'answered'));
    const [first, second] = tabs.map((tab) => findEntry(tab, 'card')?.answer);
    expect(first).toEqual(second);
  });
});

describe('an agent message', () => {
  it('has citations with positions in the joined text, and without unsafe URLs', async () => {
    const { bed, conversation } = await startConversation({
      answer: [{ say: 'High tide is at six.' }, { cite: { title: 'Log', url: 'https://a.test' } }],
    });
    expect(findEntry(conversation, 'agent')?.citations).toEqual([
      { title: 'Log', url: 'https://a.test', snippet: null, endIndex: 20 },
    ]);
    const cited = (end_index: number | null, url: unknown = null) => [
      { title: 'T', url, end_index },
    ];
    bed.platform.session().append({
      type: 'agent.message',
      content: [
        { type: 'text', text: 'One', citations: cited(2, 'javascript:alert(1)') },
        { type: 'image' },
        { type: 'text', text: 'Two', citations: [...cited(99), ...cited(null), 'nonsense', {}] },
      ],
    });
    await bed.until(() => conversation.state.lastSeq === bed.platform.session().log.length);
    const last = conversation.state.entries.at(-1);
    expect(last?.kind === 'agent' && last.citations).toEqual([
      { title: 'T', url: null, snippet: null, endIndex: 2 },
      { title: 'T', url: null, snippet: null, endIndex: 8 },
      { title: 'T', url: null, snippet: null, endIndex: 8 },
    ]);
  });

  it('has suggestions until the next message is sent', async () => {
    const prompts = ['And tomorrow?', 'Thanks'];
    const { bed, conversation } = await startConversation({
      answer: ({ text }) =>
        text === 'Hi'
          ? [{ say: 'Sunny.' }, { call: 'suggest_replies', input: { prompts } }]
          : 'Yes.',
    });
    expect(conversation.state.suggestions).toEqual(prompts.map((label) => ({ label })));
    const tab = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => tab.state.suggestions.length === 2);
    conversation.send('And tomorrow?').catch(() => {});
    expect(conversation.state.suggestions).toEqual([]);
    await bed.until(() => tab.state.suggestions.length === 0);
  });

  it('has a rating that survives a reload', async () => {
    const { bed, conversation } = await startConversation({});
    const id = findEntry(conversation, 'agent')?.id ?? '';
    await conversation.rate(id, 'down', { comment: 'No', reasons: ['incorrect'] });
    expect(bed.platform.session().feedback.get(id)).toMatchObject({
      rating: 'down',
      comment: 'No',
      reasons: ['incorrect'],
    });
    const reopened = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => findEntry(reopened, 'agent')?.feedback === 'down');
  });
});

describe('a conversation', () => {
  it('reports the allowances of the user, and why the session was terminated', async () => {
    const resets_at = '2026-01-02T00:00:00.000Z';
    const day = { type: 'day', used: 0.5, resets_at };
    const { bed, conversation } = await startConversation({ config: { allowances: [day] } });
    expect(conversation.state.allowances).toEqual([day]);
    bed.faults.failNext(
      { code: 'EMBED_QUOTA_EXCEEDED', retryAfterSeconds: 3600 },
      'POST /sessions/{id}/events',
    );
    const now = bed.clock.now();
    await expect(conversation.send('More')).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    const [usedUp] = conversation.state.allowances;
    expect(usedUp).toMatchObject({ type: 'day', used: 1 });
    expect(Date.parse(usedUp?.resets_at ?? '') - now).toBeGreaterThanOrEqual(3_600_000);

    bed.platform.session().terminate('The shop is closed.');
    await bed.until(() => conversation.state.endReason !== null);
    expect(conversation.state.endReason).toBe('The shop is closed.');
    expect(conversation.state.session?.status).toBe('terminated');
    const reopened = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => reopened.state.endReason === 'The shop is closed.');
  });
});

describe('a tool call that waits for the user or the page', () => {
  it('is approved with the hash of the displayed call', async () => {
    const { bed, conversation } = await startConversation({
      answer: [
        { call: 'cancel', input: { b: 1, a: 2 }, permission: 'ask', explanation: 'Cancels it.' },
        { say: 'Done.' },
      ],
    });
    const tool = findEntry(conversation, 'tool');
    expect(tool).toMatchObject({ explanation: 'Cancels it.', progress: 'approval' });
    // SHA-256 of {"input":{"a":2,"b":1},"name":"cancel"}, computed by another program.
    expect(tool?.inputHash).toBe(
      '1f0313aac3423dfe5f9965133affd11b2ad9662a473171e790122f93d1373049',
    );
    await conversation.confirmTool(tool?.id ?? '', 'allow');
    const confirmation = bed.platform.session().log.find(({ type }) => /confirmation/.test(type));
    expect(confirmation).toMatchObject({ input_hash: tool?.inputHash, result: 'allow' });
    await bed.until(() => findEntry(conversation, 'agent') !== undefined);
  });

  it('is run by the host page only after the user’s approval', async () => {
    const { bed, conversation } = await startConversation({
      answer: [
        { call: 'open', runs_on: 'page', permission: 'ask', explanation: 'Opens the door.' },
        { say: 'It is {result}.' },
      ],
    });
    const tool = findEntry(conversation, 'tool');
    expect(tool).toMatchObject({
      runsOn: 'host',
      progress: 'approval',
      explanation: 'Opens the door.',
    });
    const id = tool?.id ?? '';
    await expect(conversation.submitToolResult(id, 'open')).rejects.toMatchObject({
      code: 'TOOL_CONFIRMATION_REQUIRED',
    });

    await conversation.confirmTool(id, 'allow');
    await bed.until(() => findEntry(conversation, 'tool')?.progress === 'waiting');
    expect(findEntry(conversation, 'tool')?.decision).toEqual({ result: 'allow', reason: null });
    await conversation.submitToolResult(id, 'open');

    await bed.until(() => findEntry(conversation, 'agent')?.text === 'It is open.');
    expect(findEntry(conversation, 'tool')).toMatchObject({ progress: 'done', result: 'open' });
  });

  it('is shown as denied in every tab, and the agent receives the reason', async () => {
    const { bed, conversation } = await startConversation({
      answer: [{ call: 'open', runs_on: 'page', permission: 'ask' }, { say: 'Shut: {result}' }],
    });
    const id = findEntry(conversation, 'tool')?.id ?? '';
    const tab = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => findEntry(tab, 'tool')?.progress === 'approval');

    await conversation.confirmTool(id, 'deny', 'It is cold');

    await bed.until(() => findEntry(tab, 'agent')?.text === 'Shut: It is cold');
    for (const each of [conversation, tab]) {
      expect(findEntry(each, 'tool')).toMatchObject({
        progress: 'denied',
        decision: { result: 'deny', reason: 'It is cold' },
      });
    }
    await expect(conversation.submitToolResult(id, 'open')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('ends when another tab submits its result', async () => {
    const { bed, conversation } = await startConversation({
      answer: [{ call: 'where', runs_on: 'page' }, { say: 'Here.' }],
    });
    const id = findEntry(conversation, 'tool')?.id ?? '';
    const tab = bed.openTab().client.conversation(conversation.state.session?.id);
    await bed.until(() => findEntry(tab, 'tool')?.progress === 'waiting');
    await tab.submitToolResult(id, 'At home');
    await bed.until(() => findEntry(conversation, 'tool')?.progress === 'done');
    expect(findEntry(conversation, 'tool')?.result).toBe('At home');
    await expect(conversation.submitToolResult(id, 'Elsewhere')).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});
