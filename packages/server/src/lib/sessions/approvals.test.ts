import { describe, expect, it } from 'vitest';
import type { ToolConfigInput } from '../config/tools.ts';
import { inputHash } from '../runs/input-hash.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const idle = isType('session.status_idle');
const input = { to: 'ada@example.com', amount: { cents: 1200 } };
const script = [{ call: 'pay', input }, { say: 'It says: {result}' }];
const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0, script };
const pay = (fields: Partial<ToolConfigInput> = {}) =>
  ({
    type: 'function',
    name: 'pay',
    description: '',
    permission: 'ask',
    run: (args: object) => `paid ${JSON.stringify(args)}`,
    ...fields,
  }) as ToolConfigInput;

async function setup(tool = pay()) {
  const conversation = await setupConversation({ agent: { model, tools: [tool] } });
  const id = await conversation.create('pay');
  const eventStream = await conversation.follow(id);
  await eventStream.until(idle);
  const call: Record<string, unknown> = eventStream.seen.find(isType('agent.tool_use'))?.data ?? {};
  const confirm = (fields: object = {}) =>
    conversation.send(id, [
      { type: 'user.tool_confirmation', tool_use_id: call.id, result: 'allow', ...fields },
    ]);
  return { ...conversation, id, eventStream, call, confirm };
}

describe('an approval', () => {
  it('is requested with a hash and an explanation of the call', async () => {
    const explain = ({ to }: Record<string, unknown>) => ` Pays 12 euros to ${String(to)}. `;
    const { call } = await setup(pay({ explain }));

    expect(call).toMatchObject({
      evaluated_permission: 'ask',
      input_hash: inputHash({ name: 'pay', input }),
      explanation: 'Pays 12 euros to ada@example.com.',
    });
  });

  it('names the arguments that the schema of the tool does not declare', async () => {
    const schema = (properties: object) =>
      pay({ input_schema: { type: 'object', properties } } as Partial<ToolConfigInput>);
    const { call } = await setup(schema({ to: { type: 'string' } }));
    expect(call.undeclared_arguments).toEqual(['amount']);

    expect((await setup(schema({ to: {}, amount: {} }))).call).not.toHaveProperty(
      'undeclared_arguments',
    );
  });

  it('is requested without an explanation if `explain` is missing, throws or returns no text', async () => {
    const broken = pay({
      explain: () => {
        throw new Error('no words');
      },
    });

    expect((await setup()).call).not.toHaveProperty('explanation');
    expect((await setup(broken)).call).not.toHaveProperty('explanation');
    expect((await setup(pay({ explain: () => 7 as unknown as string }))).call).not.toHaveProperty(
      'explanation',
    );
  });

  it('applies to the original arguments, even if `explain` changes its copy of them', async () => {
    const explain = (args: Record<string, unknown>) => {
      args.to = 'eve@example.com';
      return 'Pays Ada.';
    };
    const { confirm, eventStream } = await setup(pay({ explain }));

    await confirm();
    await eventStream.until(idle);

    expect(JSON.stringify(eventStream.seen.find(isType('agent.tool_result')))).toContain(
      'ada@example.com',
    );
  });

  it('is stored with the hash of the call, even if the client sends no hash', async () => {
    const { confirm, call, eventStream, log, id } = await setup();

    expect((await confirm()).status).toBe(200);
    await eventStream.until(idle);

    const confirmation = (await log(id)).find(({ type }) => type === 'user.tool_confirmation');
    expect(confirmation).toMatchObject({ input_hash: call.input_hash });
    expect(eventStream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({
      is_error: false,
    });
  });

  it('can be given after an approval with the hash of another call was rejected', async () => {
    const { confirm, call, log, id } = await setup();
    const input_hash = inputHash({ name: 'pay', input: { ...input, to: 'eve@example.com' } });

    const refused = await confirm({ input_hash });

    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringContaining('`input_hash`'),
    });
    expect((await log(id)).map(({ type }) => type)).not.toContain('user.tool_confirmation');
    expect((await confirm({ input_hash: call.input_hash })).status).toBe(200);
  });

  it('is accepted from exactly one of several simultaneous requests', async () => {
    const { confirm, log, id } = await setup();

    const sent = await Promise.all(
      ['deny', 'allow', 'deny', 'allow'].map((result) => confirm({ result })),
    );

    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await log(id)).filter(({ type }) => type === 'user.tool_confirmation')).toHaveLength(1);
  });

  it('is rejected after an event in the same request that denies the call, interrupts the run or sends a message', async () => {
    const { call, id, send, log } = await setup();
    const confirmation = { type: 'user.tool_confirmation', tool_use_id: call.id, result: 'allow' };
    const stop = { type: 'user.interrupt' };

    for (const before of [{ ...confirmation, result: 'deny' }, stop, message('Wait.')]) {
      const refused = await send(id, [before, confirmation]);
      expect([before.type, refused.status]).toEqual([before.type, 409]);
    }

    expect((await log(id)).filter(({ type }) => type.startsWith('user.'))).toHaveLength(1);
  });

  it('leads to exactly one tool result, even if an interrupt arrives at the same time', async () => {
    const { confirm, send, id, log, store } = await setup();

    const [allowed] = await Promise.all([confirm(), send(id, [{ type: 'user.interrupt' }])]);
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);

    expect([200, 409]).toContain(allowed.status);
    const results = (await log(id)).filter(({ type }) => type === 'agent.tool_result');
    expect(results).toHaveLength(1);
    expect((await log(id)).at(-1)?.type).toBe('session.status_idle');
    expect((await confirm()).status).toBe(409);
  });

  it('is accepted after a restart, unless the stored arguments were changed', async () => {
    const data = temporaryFolder();
    const runs: object[] = [];
    const tool = pay({
      run: (args: object) => {
        runs.push(args);
        return 'ok';
      },
    });
    const agent = { model, tools: [tool] };
    const before = await setupServer({ data, agent });
    const { token } = await before.issue();
    const path = '/agent/v1/sessions';
    const created = await before.requestAsUser(token, 'POST', path, {
      initial_events: [message('x')],
    });
    const { id } = (await created.json()) as { id: string };
    const eventsPath = `${path}/${id}/events?types[]=session.status_idle`;
    const idleEvents = async () => (await before.requestAsUser(token, 'GET', eventsPath)).json();
    await expect.poll(async () => (await idleEvents()).data).toHaveLength(1);
    await before.close();
    const after = await setupServer({ data, agent });
    const row = await after.store.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'agent.tool_use')
      .executeTakeFirstOrThrow();
    const confirm = () =>
      after.requestAsUser(token, 'POST', `${path}/${id}/events`, {
        events: [
          {
            type: 'user.tool_confirmation',
            tool_use_id: row.id,
            result: 'allow',
            input_hash: inputHash({ name: 'pay', input }),
          },
        ],
      });
    const setJson = (json: string) =>
      after.store.db.updateTable('events').set({ json }).where('id', '=', row.id).execute();

    // Simulates a manipulated log: the stored input does not match its hash.
    await setJson(row.json.replace('ada@', 'eve@'));
    expect((await confirm()).status).toBe(409);
    await setJson(row.json);
    expect((await confirm()).status).toBe(200);
    await expect.poll(() => runs).toEqual([input]);
    await after.close();
  });
});
