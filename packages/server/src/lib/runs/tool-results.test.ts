import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../config/tool-result.ts';
import type { ToolContext, ToolFunction } from '../config/tools.ts';
import { chatEndpoint, chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const call = (id: string) =>
  chunk({ tool_calls: [{ index: 0, id, function: { name: 'search', arguments: '{}' } }] });
const says = (content: string) => stream(chunk({ content }), finish(), done);
const calls = (content: string) =>
  stream(chunk({ content }), call('c1'), finish('tool_calls'), done);

/** Runs a conversation whose model calls the tool `search`, and then answers. */
async function setup(run: ToolFunction, ...responses: ReturnType<typeof stream>[]) {
  const endpoint = await chatEndpoint(...responses);
  const conversation = await setupConversation({
    agent: {
      model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
      tools: [{ type: 'function', name: 'search', description: '', run }],
    },
  });
  const id = await conversation.create('Where?');
  const events = await conversation.follow(id);
  await events.until(isType('session.status_idle'));
  const log = await conversation.log(id);
  const messages = log.filter((event) => event.type === 'agent.message');
  return { ...conversation, ...endpoint, id, log, events, messages };
}

const guide = { title: 'Guide', url: 'https://docs.example/guide', snippet: 'At the pier.' };
const map = { title: 'Map' };
const cited = (source: object) => ({ url: null, snippet: null, end_index: null, ...source });

describe('a tool that returns sources', () => {
  it('has them cited in the answer, also those of several calls, but not in the text before a call or in the next answer', async () => {
    const results: ToolResult[] = [
      { text: 'One.', citations: [guide] },
      { text: 'Two.', citations: [map] },
    ];
    const { messages, send, id, events, log, requests } = await setup(
      () => results.shift() ?? 'None.',
      calls('Let me see.'),
      calls('And there.'),
      says('At the pier.'),
      says('You are welcome.'),
    );
    await send(id, [message('Thanks')]);
    await events.until(isType('session.status_idle'));

    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Let me see.' }],
      [{ type: 'text', text: 'And there.' }],
      [{ type: 'text', text: 'At the pier.', citations: [cited(guide), cited(map)] }],
    ]);
    const next = events.seen.filter(isType('agent.message')).at(-1)?.data;
    expect(next?.content).toEqual([{ type: 'text', text: 'You are welcome.' }]);
    expect(log.find(({ type }) => type === 'agent.tool_result')).toMatchObject({ is_error: false });
    expect(requests.at(1)?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'One.' });
  });
});

describe('a tool that returns a card', () => {
  const card = { title: 'Seats', blocks: [{ type: 'text' as const, text: 'Free: **7**' }] };

  it('has it shown after its result, and the model gets the text only', async () => {
    const { log, requests } = await setup(
      () => ({ text: 'Seat 7 is free, and is shown.', card }),
      calls(''),
      says('See above.'),
    );

    const types = log.map(({ type }) => type);
    expect(types.indexOf('agent.card')).toBe(types.indexOf('agent.tool_result') + 1);
    const use = log.find(({ type }) => type === 'agent.tool_use');
    expect(log.find(({ type }) => type === 'agent.card')).toMatchObject({
      card,
      tool_use_id: use?.id,
    });
    expect(requests[1]?.body.messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'search' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'Seat 7 is free, and is shown.' },
    ]);
  });
});

describe('the result of a tool', () => {
  it('is an error for the model with `is_error`', async () => {
    const { log } = await setup(
      () => ({ text: 'The index is being built.', is_error: true }),
      calls(''),
      says('Later.'),
    );

    expect(log.find(({ type }) => type === 'agent.tool_result')).toMatchObject({
      content: [{ type: 'text', text: 'The index is being built.' }],
      is_error: true,
    });
  });

  it.each([
    ['no text', {}, '/text is required'],
    ['an unknown member', { text: '', sources: [] }, '/ has no field `sources`'],
    ['a source without a title', { text: '', citations: [{}] }, '/citations/0/title is required'],
    [
      'an address that would run as code',
      { text: '', citations: [{ title: 'A', url: 'javascript:alert(1)' }] },
      '/citations/0/url must begin with https:// or http://',
    ],
    [
      'an invalid card',
      { text: '', card: { blocks: [{ type: 'custom', name: 'a', data: {} }] } },
      '/card/blocks/0/text is required',
    ],
    [
      'an inconsistent card',
      { text: '', card: { blocks: [{ type: 'field', name: 'a', label: 'A', kind: 'select' }] } },
      '/card/blocks/0/options must hold what a select chooses from',
    ],
  ])('is refused with %s, and the error names the field', async (_, result, error) => {
    const { log } = await setup(() => result as ToolResult, calls(''), says('Sorry.'));

    const entry = log.find((event) => event.type === 'agent.tool_result');
    expect(entry).toMatchObject({ is_error: true });
    expect(JSON.stringify(entry?.content)).toContain(`The result of search is invalid: ${error}`);
    expect(log.some(({ type }) => type === 'agent.card')).toBe(false);
  });
});

describe('the context of a tool', () => {
  const setupContext = async () => {
    const contexts: ToolContext[] = [];
    const endpoint = await chatEndpoint(calls(''), says('Done.'));
    const conversation = await setupConversation({
      agent: {
        model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' },
        publishable_keys: [{ key: 'pk_shop' }],
        tools: [
          {
            type: 'function',
            name: 'search',
            description: '',
            run: (_, context) => `${contexts.push(context)}`,
          },
        ],
      },
    });
    const contextOf = async (token: string) => {
      const body = { initial_events: [message('Where?')], metadata: { plan: 'free' } };
      await conversation.call('POST', '/sessions', body, {}, token);
      await expect.poll(() => contexts).toHaveLength(1);
      return contexts[0];
    };
    return { ...conversation, contextOf };
  };

  it('has the metadata of the token, not that of the session, and the version of the agent', async () => {
    const { issue, contextOf } = await setupContext();
    const { token } = await issue('ada', { metadata: { plan: 'pro' } });

    expect(await contextOf(token)).toMatchObject({
      externalUserId: 'ada',
      metadata: { plan: 'pro' },
      isAnonymous: false,
      publishableKey: null,
      agentVersion: '1',
    });
  });

  it('has the publishable key of a visitor', async () => {
    const { requestAsPage, contextOf } = await setupContext();
    const body = { publishable_key: 'pk_shop' };
    const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
    const { token } = (await response.json()) as { token: string };

    expect(await contextOf(token)).toMatchObject({
      externalUserId: expect.stringMatching(/^anon_/),
      metadata: {},
      isAnonymous: true,
      publishableKey: 'pk_shop',
    });
  });
});
