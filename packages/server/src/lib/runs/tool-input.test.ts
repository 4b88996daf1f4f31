import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { chunk, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { paidResponse, setupPaidModel } from '../testing/setup-paid-model.ts';

const schema = {
  type: 'object',
  properties: { id: { type: 'string' }, cents: { type: 'integer', minimum: 1 } },
  required: ['id'],
};

const callWith = (input: object) =>
  stream(
    chunk({
      tool_calls: [
        { index: 0, id: 'a', function: { name: 'pay', arguments: JSON.stringify(input) } },
      ],
    }),
    finish('tool_calls'),
  );

async function setup(
  input: object,
  tool: { type: 'function' | 'custom'; [field: string]: unknown },
) {
  const { settings, requests } = await setupPaidModel([callWith(input), paidResponse]);
  const runInputs: unknown[] = [];
  const pay = {
    name: 'pay',
    description: '',
    input_schema: schema,
    ...(tool.type === 'function' && { run: (args: unknown) => `${runInputs.push(args)}` }),
    ...tool,
  };
  const { create, follow } = await setupConversation({
    ...settings,
    agent: { ...settings.agent, tools: [pay as never] },
  });
  const eventStream = await follow(await create('hello'));
  const end = await eventStream.until(isType('session.status_idle'));
  return {
    requests,
    runInputs,
    end,
    result: requests[1]?.body.messages.at(-1),
    seen: eventStream.seen,
  };
}

describe('the arguments of a tool call', () => {
  it.each([
    ['lack a required argument', { cents: 5 }, /"id"/],
    ['have an argument of another type', { id: 7 }, /^\/id .*string/m],
    ['have an argument out of its range', { id: 'a', cents: 0 }, /^\/cents .*1/m],
  ])('are rejected, with the reason for the model, if they %s', async (_, input, reason) => {
    const { runInputs, result } = await setup(input, { type: 'function' });

    expect(runInputs).toEqual([]);
    expect(result).toMatchObject({ role: 'tool', content: expect.stringMatching(reason) });
  });

  it('are passed to the tool if they match the tool’s schema', async () => {
    const { runInputs } = await setup({ id: 'a', cents: 5 }, { type: 'function' });

    expect(runInputs).toEqual([{ id: 'a', cents: 5 }]);
  });

  it.each([
    ['a leaf that fits', { field: 'age' }, true],
    ['a leaf that does not fit', { field: 7 }, false],
  ])('are checked in linear time against a recursive union: %s', async (_, leaf, isValid) => {
    const nested = (depth: number): object =>
      depth === 0 ? leaf : { type: depth % 2 ? 'and' : 'or', conditions: [nested(depth - 1)] };
    const branch = (type: string) => ({
      type: 'object',
      properties: {
        conditions: { type: 'array', items: { $ref: '#/$defs/filter' } },
        type: { const: type },
      },
      required: ['type', 'conditions'],
    });
    const input_schema = {
      type: 'object',
      properties: { filter: { $ref: '#/$defs/filter' } },
      $defs: {
        filter: {
          anyOf: [
            branch('or'),
            branch('and'),
            { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
          ],
        },
      },
    };
    const input = { filter: nested(30) };
    const { runInputs, result } = await setup(input, { type: 'function', input_schema });

    expect(runInputs).toEqual(isValid ? [input] : []);
    if (!isValid) expect(result?.content).toContain('Call again with these errors corrected');
  });

  it('are rejected if a pattern of the schema takes too long for them', async () => {
    const input_schema = { type: 'object', properties: { id: { pattern: '^(a+)+$' } } };
    const input = { id: `${'a'.repeat(64)}!` };
    const { runInputs, result } = await setup(input, { type: 'function', input_schema });

    expect(runInputs).toEqual([]);
    expect(result).toMatchObject({
      content: 'The arguments are too complex to check. Call again with shorter or simpler ones.',
    });
  });

  it('are not shown to the user or the host page if they are invalid', async () => {
    const withApproval = await setup({ id: 7 }, { type: 'function', permission: 'ask' });
    const custom = await setup({ id: 7 }, { type: 'custom' });

    for (const { end, seen } of [withApproval, custom]) {
      expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
      expect(seen.filter(isType('agent.custom_tool_use'))).toEqual([]);
    }
  });

  it.each([
    ['an unresolved reference', { $ref: '#/nowhere' }],
    ['an unresolved reference in a property', { properties: { id: { $ref: '#/nowhere' } } }],
    ['an invalid pattern in a property', { properties: { id: { pattern: '[' } } }],
    [
      'a pattern that is invalid with the flag `u`',
      { properties: { id: { pattern: '\\d\\-\\d' } } },
    ],
    ['an invalid pattern of property names', { patternProperties: { '[': true } }],
    ['a reference to itself', { allOf: [{ $ref: '#' }] }],
  ])('cannot have a schema with %s', (_, input_schema) => {
    const tool = { type: 'custom', name: 'a', description: '', input_schema };
    const agent = { short_id: 'a', name: 'A', model: { provider: 'scripted' }, tools: [tool] };

    expect(() => parseConfig({ agents: [agent] }, 'it')).toThrow(
      'agents[0].tools[0].input_schema is not a valid JSON Schema',
    );
  });
});
