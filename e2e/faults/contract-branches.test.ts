/** Contract of the API: branches, modes, cards, suggestions, approvals, search, feedback, export, erasure. */
import { describe, expect, it } from 'vitest';
import { type AgentName, seatsCard } from './contract/agents.ts';
import { describeOnBothPlatforms } from './contract/describe-on-both-platforms.ts';
import { message, type SeenEvent } from './contract/user-api.ts';

describeOnBothPlatforms((setupUser) => {
  const setup = async (agent?: AgentName) => {
    const { target, ada } = await setupUser(agent);
    /** Sends an event, and waits for the end of the run if the event is accepted. */
    const ask = async (id: string, event: object) => {
      const before = (await ada.log(id)).at(-1) as unknown as { seq: number };
      const stream = await ada.follow(id, String(before.seq));
      const sent = await ada.send(id, [event]);
      if (sent.status === 200) await stream.until('session.status_idle');
      stream.cut();
      return sent;
    };
    const createConversation = async (text = 'One') => {
      const id = await ada.create(text);
      const stream = await ada.follow(id);
      await stream.until('session.status_idle');
      stream.cut();
      return id;
    };
    return { target, ada, ask, createConversation };
  };
  const eventsOfType = (log: readonly SeenEvent[], type: string) =>
    log.filter((each) => each.type === type);
  const firstPointer = ({ body }: { body: Record<string, unknown> }) =>
    (body.errors as { pointer: string }[])[0]?.pointer;

  describe('branches', () => {
    it('are stored as the parent of each message', async () => {
      const { ada, ask, createConversation } = await setup();
      const id = await createConversation();
      await ask(id, message('Two'));
      const messages = eventsOfType(await ada.log(id), 'user.message');
      expect(messages.map(({ parent_id }) => parent_id)).toEqual([null, messages[0]?.id]);
    });

    it('are created by a message with an earlier parent, and can be continued', async () => {
      const { ada, ask, createConversation } = await setup();
      const id = await createConversation();
      await ask(id, message('Two'));
      const [firstMessage] = eventsOfType(await ada.log(id), 'user.message');
      const sent = await ask(id, { ...message('Zwei'), parent_id: firstMessage?.id });
      expect((sent.body.data as SeenEvent[]).map(({ type }) => type)).toEqual(['user.message']);
      await ask(id, message('Three'));
      const log = await ada.log(id);
      const messages = eventsOfType(log, 'user.message');
      expect(messages.map(({ parent_id }) => parent_id)).toEqual([
        null,
        firstMessage?.id,
        firstMessage?.id,
        messages[2]?.id,
      ]);
      const position = log.findIndex((each) => each.id === messages[2]?.id);
      expect(log[position - 1]?.type).toBe('user.interrupt');
    });

    it('interrupt the answer in progress when they are created', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('Go');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await ada.send(id, [{ ...message('Go on'), parent_id: null }]);
      const { data: broken } = await stream.until('agent.message');
      expect(broken).toMatchObject({ incomplete: 'interrupted' });
      await stream.until('span.model_request_start');
    });

    it('cannot start at a parent that does not exist, and the error names the field', async () => {
      const { ada, createConversation } = await setup();
      const id = await createConversation();
      const refused = await ada.send(id, [{ ...message('Two'), parent_id: 'evt_nobody' }]);
      expect([refused.status, firstPointer(refused)]).toEqual([400, '/events/0/parent_id']);
    });
  });

  describe('messages', () => {
    it('are accepted only with a mode of the agent, and stored with their mode and mentions', async () => {
      const { ada, ask, createConversation } = await setup();
      const id = await createConversation();
      const refused = await ada.send(id, [{ ...message('Two'), mode: 'wild' }]);
      expect([refused.status, firstPointer(refused)]).toEqual([400, '/events/0/mode']);
      const mentions = [{ id: 'user_2', label: 'Bob' }];
      await ask(id, { ...message('Two, @Bob'), mode: 'deep', mentions });
      expect(eventsOfType(await ada.log(id), 'user.message')[1]).toMatchObject({
        mode: 'deep',
        mentions,
      });
    });
  });

  describe('cards', () => {
    it('accept one valid answer, and reject invalid answers', async () => {
      const { ada, ask, createConversation } = await setup('booking');
      const id = await createConversation();
      const [card] = eventsOfType(await ada.log(id), 'agent.card');
      expect(card?.card).toEqual(seatsCard);
      const action = { type: 'user.card_action', card_id: card?.id, action: 'book' };
      const invalid = [
        { ...action, card_id: 'evt_nobody' },
        { ...action, action: 'fly' },
        action,
        { ...action, values: { seats: 5 } },
        { ...action, values: { seats: '2' } },
        { ...action, values: { seats: 2, shoes: 1 } },
        { ...action, action: 'no', values: { seats: 2 } },
      ];
      const pointers = [];
      for (const each of invalid) pointers.push(firstPointer(await ada.send(id, [each])));
      expect(pointers).toEqual(
        ['card_id', 'action', ...Array(3).fill('values/seats'), 'values/shoes', 'values/seats'].map(
          (name) => `/events/0/${name}`,
        ),
      );
      await ask(id, { ...action, values: { seats: 2 } });
      const log = await ada.log(id);
      expect(eventsOfType(log, 'user.card_action')).toMatchObject([
        { card_id: card?.id, action: 'book', values: { seats: 2 } },
      ]);
      expect(eventsOfType(log, 'session.status_idle')).toHaveLength(2);
      const again = await ada.send(id, [{ ...action, values: { seats: 1 } }]);
      expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    });

    it('make their branch the current branch when they are answered', async () => {
      const { ada, ask, createConversation } = await setup('booking');
      const id = await createConversation();
      await ask(id, { ...message('Uno'), parent_id: null });
      const log = await ada.log(id);
      const [firstMessage] = eventsOfType(log, 'user.message');
      const [card] = eventsOfType(log, 'agent.card');
      await ask(id, { type: 'user.card_action', card_id: card?.id, action: 'no' });
      await ask(id, message('Two'));
      const after = await ada.log(id);
      expect(eventsOfType(after, 'user.card_action')[0]?.parent_id).toBe(firstMessage?.id);
      expect(eventsOfType(after, 'user.message')[2]?.parent_id).toBe(firstMessage?.id);
    });
  });

  describe('suggestions', () => {
    it('follow the answer at the end of a run', async () => {
      const { ada, createConversation } = await setup('helper');
      const log = await ada.log(await createConversation());
      expect(log.map(({ type }) => type)).toEqual([
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'agent.message',
        'agent.suggestions',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(log[4]?.prompts).toEqual([{ label: 'And tomorrow?' }, { label: 'Thanks' }]);
    });
  });

  describe('approvals', () => {
    it('are valid only for the call with the same input hash', async () => {
      const { ada, ask, createConversation } = await setup('cashier');
      const id = await createConversation('Pay');
      const [call] = eventsOfType(await ada.log(id), 'agent.tool_use');
      // SHA-256 of {"input":{"cents":300},"name":"pay"}.
      expect(call?.input_hash).toBe(
        '1cb4d287edc5838066528b8b932bc7d5045fb3e353521644fe23dcf246d9c3b6',
      );
      const allow = { type: 'user.tool_confirmation', tool_use_id: call?.id, result: 'allow' };
      const refused = await ada.send(id, [{ ...allow, input_hash: 'another' }]);
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
      await ask(id, allow);
      expect(eventsOfType(await ada.log(id), 'user.tool_confirmation')[0]).toMatchObject({
        input_hash: call?.input_hash,
      });
    });
  });

  describe('the data of an end user', () => {
    it('can be searched by text, with the most recent conversation first', async () => {
      const { ada, ask, createConversation } = await setup();
      const ids = [
        await createConversation('Where is my PARCEL?'),
        await createConversation('100% sure_'),
      ];
      const listed = async (query: string) => {
        const { body } = await ada.call('GET', `/sessions?${query}`);
        return (body.data as { id: string }[]).map(({ id }) => ids.indexOf(id));
      };
      expect(await listed('')).toEqual([1, 0]);
      await ask(ids[0] ?? '', message('And?'));
      expect(await listed('')).toEqual([0, 1]);
      expect(await listed('query=parcel')).toEqual([0]);
      expect(await listed(`query=${encodeURIComponent('100%')}`)).toEqual([1]);
      expect(await listed(`query=${encodeURIComponent('%')}`)).toEqual([1]);
      await ada.call('POST', `/sessions/${ids[0]}/archive`, { body: {} });
      expect(await listed('')).toEqual([1]);
      expect(await listed('archived=true')).toEqual([0]);
      expect(await listed('archived=any')).toEqual([0, 1]);
      const invalid = await ada.call('GET', '/sessions?archived=perhaps');
      expect([invalid.status, firstPointer(invalid)]).toEqual([400, '/query/archived']);
      const { body } = await ada.call('POST', `/sessions/${ids[0]}/unarchive`, { body: {} });
      expect(body).toMatchObject({ archived_at: null, preview: 'Where is my PARCEL?' });
      expect(await listed('')).toEqual([0, 1]);
    });

    it('includes the latest feedback for an answer', async () => {
      const { ada, createConversation } = await setup();
      const id = await createConversation();
      const [answer] = eventsOfType(await ada.log(id), 'agent.message');
      const path = `/sessions/${id}/feedback`;
      const event_id = answer?.id;
      await ada.call('POST', path, { body: { event_id, rating: 'up' } });
      const reasons = ['incorrect', 'incorrect'];
      await ada.call('POST', path, { body: { event_id, rating: 'down', reasons } });
      const { body } = await ada.call('GET', path);
      expect(body.data).toMatchObject([
        { type: 'feedback', event_id, rating: 'down', reasons: ['incorrect'], comment: null },
      ]);
    });

    it('can be exported as a file', async () => {
      const { ada, createConversation } = await setup();
      const id = await createConversation();
      const { body } = await ada.call('GET', `/sessions/${id}/export?format=json`);
      expect(body.session).toMatchObject({ id });
      expect((body.events as SeenEvent[])[0]).toMatchObject({ type: 'user.message' });
      const invalid = await ada.call('GET', `/sessions/${id}/export?format=pdf`);
      expect([invalid.status, firstPointer(invalid)]).toEqual([400, '/query/format']);
    });

    it('can be erased, and the token stays valid', async () => {
      const { ada, createConversation } = await setup();
      const id = await createConversation();
      const stream = await ada.follow(id);
      const { status, body } = await ada.call('POST', '/embed/forget_me', { body: {} });
      expect([status, body]).toMatchObject([200, { type: 'forgotten', sessions: 1, files: 0 }]);
      await stream.until('session.deleted');
      expect((await ada.call('GET', '/sessions')).body.data).toEqual([]);
      expect((await ada.call('GET', `/sessions/${id}`)).status).toBe(404);
    });
  });
});
