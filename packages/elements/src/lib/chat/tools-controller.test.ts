import {
  type Conversation,
  createInlayClient,
  hostTokens,
  type InlayClient,
  type ToolEntry,
} from '@inlay/client';
import {
  type CallStep,
  createScriptedPlatform,
  type ScriptedPlatform,
} from '@inlay/client/testing';
import { LitElement } from 'lit';
import { expect, mount } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';
import { type ClientTools, ToolsController } from './tools-controller.ts';

class ToolsHost extends LitElement {
  tools: ClientTools | null = null;
  conversation: Conversation | null = null;
  readonly failures: unknown[] = [];

  constructor() {
    super();
    new ToolsController(this, {
      tools: () => this.tools,
      conversation: () => this.conversation,
      onError: (reason) => this.failures.push(reason),
      otherTabDelayMs: 0,
    });
  }
}
customElements.define('test-tools-host', ToolsHost);

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function createPlatform(call: Partial<CallStep> = {}): ScriptedPlatform {
  const name = crypto.getRandomValues(new Uint32Array(2)).join('x');
  const platform = createScriptedPlatform({
    baseUrl: `${location.origin}/platform-${name}`,
    answer: [
      { call: 'read_cart', input: { of: 'me' }, runs_on: 'page', ...call },
      { say: 'It said: {result}' },
    ],
  });
  cleanups.push(platform.interceptFetch());
  return platform;
}

/** Opens a page with a new conversation, or with the session whose id is given. */
function openPage(platform: ScriptedPlatform, tools: ClientTools | null, sessionId?: string) {
  const client: InlayClient = createInlayClient({
    baseUrl: platform.baseUrl,
    tokens: hostTokens(() => platform.issue('ada').token),
  });
  cleanups.push(() => client.close());
  const host = mount(new ToolsHost());
  const conversation = client.conversation(sessionId);
  host.tools = tools;
  host.conversation = conversation;
  conversation.subscribe(() => host.requestUpdate());
  host.requestUpdate();
  const results: unknown[] = [];
  host.addEventListener('inlay-tool', ({ detail }) => results.push(detail));
  return { host, conversation, results };
}

const answerOf = ({ state }: Conversation) =>
  state.entries.findLast((entry) => entry.kind === 'agent' && entry.progress === 'done');

async function expectAnswer(conversation: Conversation, text: string) {
  await until(`“${text}”`, () => {
    const entry = answerOf(conversation);
    return entry?.kind === 'agent' && entry.text === text;
  });
}

describe('ToolsController', () => {
  it('runs a client tool, sends its result, and dispatches inlay-tool', async () => {
    const inputs: unknown[] = [];
    const tools: ClientTools = {
      read_cart: (input) => {
        inputs.push(input);
        return Promise.resolve({ items: 2 });
      },
    };
    const { conversation, results } = openPage(createPlatform(), tools);

    await conversation.send('What is in my cart?');
    await expectAnswer(conversation, 'It said: {"items":2}');

    expect(inputs).to.deep.equal([{ of: 'me' }]);
    await until('the event', () => results.length === 1);
    const [{ id, ...rest }] = results as [{ id: string }];
    expect(id).to.match(/^evt_/);
    expect(rest).to.deep.equal({
      name: 'read_cart',
      input: { of: 'me' },
      result: '{"items":2}',
      isError: false,
    });
  });

  it('sends results that are strings unchanged, and “Done.” for undefined', async () => {
    const returnValues: unknown[] = ['two socks', undefined];
    const { conversation } = openPage(createPlatform(), { read_cart: () => returnValues.shift() });

    await conversation.send('First');
    await expectAnswer(conversation, 'It said: two socks');
    await conversation.send('Second');
    await expectAnswer(conversation, 'It said: Done.');
  });

  it('sends an error for an exception, an unknown tool and a result that is not serializable', async () => {
    const platform = createPlatform();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const cases: [ClientTools, RegExp][] = [
      [
        {
          read_cart: () => {
            throw new Error('The cart is locked.');
          },
        },
        /The cart is locked\./,
      ],
      // A page may reject with any value.
      [{ read_cart: () => Promise.reject('no') }, /The tool “read_cart” failed\./],
      [{ other: () => 1 }, /This page has no tool “read_cart”\./],
      [JSON.parse('{"__proto__": {"read_cart": 1}}'), /This page has no tool/],
      [{ read_cart: () => circular }, /circular|cyclic/i],
    ];
    for (const [tools, message] of cases) {
      const { conversation, results } = openPage(platform, tools);
      await conversation.send('Go');
      await until('the end of the call', () => results.length === 1);
      const [detail] = results as [{ isError: boolean; result: string }];
      expect(detail.isError).to.equal(true);
      expect(detail.result).to.match(message);
    }
  });

  it('dispatches a cancelable inlay-tool-request, and informs the agent if the page prevents it', async () => {
    let runs = 0;
    const { host, conversation } = openPage(createPlatform(), { read_cart: () => ++runs });
    host.addEventListener('inlay-tool-request', (event) => {
      expect(event.detail.name).to.equal('read_cart');
      event.preventDefault();
    });

    await conversation.send('Go');
    await expectAnswer(conversation, 'It said: The page declined this call.');

    expect(runs).to.equal(0);
  });

  it('calls a tool that needs approval only after the user’s approval', async () => {
    let runs = 0;
    let requests = 0;
    const { host, conversation } = openPage(createPlatform({ permission: 'ask' }), {
      read_cart: () => ++runs,
    });
    host.addEventListener('inlay-tool-request', () => ++requests);
    await conversation.send('Go');
    const call = () => conversation.state.entries.find(({ kind }) => kind === 'tool') as ToolEntry;
    await until('the question', () => call()?.progress === 'approval');
    await until('an idle page', () => !conversation.state.running);
    host.requestUpdate();
    await host.updateComplete;
    expect([runs, requests]).to.deep.equal([0, 0]);

    await conversation.confirmTool(call().id ?? '', 'allow');
    await expectAnswer(conversation, 'It said: 1');

    expect([runs, requests]).to.deep.equal([1, 1]);
    expect(call().progress).to.equal('done');
  });

  it('never calls a tool after the user’s denial', async () => {
    let runs = 0;
    const { conversation } = openPage(createPlatform({ permission: 'ask' }), {
      read_cart: () => ++runs,
    });
    await conversation.send('Go');
    const call = () => conversation.state.entries.find(({ kind }) => kind === 'tool') as ToolEntry;
    await until('the question', () => call()?.progress === 'approval');

    await conversation.confirmTool(call().id ?? '', 'deny', 'Mine.');
    await expectAnswer(conversation, 'It said: Mine.');

    expect(runs).to.equal(0);
    expect(call().progress).to.equal('denied');
  });

  it('runs a pending call when the page sets its tools', async () => {
    const { host, conversation } = openPage(createPlatform(), null);
    await conversation.send('Go');
    await until('a call that waits', () =>
      conversation.state.entries.some(
        (entry) => entry.kind === 'tool' && entry.progress === 'waiting',
      ),
    );

    host.tools = { read_cart: () => 'late' };
    host.requestUpdate();

    await expectAnswer(conversation, 'It said: late');
  });

  it('runs each call once if two chats show the same conversation', async () => {
    const platform = createPlatform();
    let runs = 0;
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tools: ClientTools = {
      read_cart: async () => {
        runs += 1;
        await blocked;
        return runs;
      },
    };
    const first = openPage(platform, tools);
    await first.conversation.send('Go');
    const second = openPage(platform, tools, first.conversation.state.session?.id);
    await until('the call in both', () =>
      [first, second].every(({ conversation }) =>
        conversation.state.entries.some((entry) => entry.kind === 'tool'),
      ),
    );
    await until('a first run', () => runs > 0);

    release();
    await expectAnswer(first.conversation, 'It said: 1');
    await expectAnswer(second.conversation, 'It said: 1');

    expect(runs).to.equal(1);
    expect(platform.requests.filter(({ body }) => isResult(body))).to.have.length(1);
  });

  it('runs a pending call again after a reload', async () => {
    const platform = createPlatform();
    const first = openPage(platform, { read_cart: () => new Promise(() => {}) });
    await first.conversation.send('Go');
    await until('a call that waits', () =>
      first.conversation.state.entries.some((entry) => entry.kind === 'tool'),
    );

    first.host.remove();
    first.conversation.close();
    const reloaded = openPage(
      platform,
      { read_cart: () => 'after the reload' },
      platform.session().id,
    );

    await expectAnswer(reloaded.conversation, 'It said: after the reload');
  });

  it('aborts a running tool when another result ends its call, and sends no result', async () => {
    let signal: AbortSignal | undefined;
    let id = '';
    const platform = createPlatform();
    const { conversation, results } = openPage(platform, {
      read_cart: (_input, call) => {
        ({ signal, id } = call);
        return new Promise(() => {});
      },
    });
    await conversation.send('Go');
    await until('a run', () => signal);
    expect(signal?.aborted).to.equal(false);

    platform.session().append({ type: 'user.custom_tool_result', custom_tool_use_id: id });

    await until('the abort', () => signal?.aborted);
    expect(results).to.deep.equal([]);
  });

  it('aborts a running tool when the element is removed, but not when the element is moved', async () => {
    let signal: AbortSignal | undefined;
    const { host, conversation } = openPage(createPlatform(), {
      read_cart: (_input, call) => {
        signal = call.signal;
        return new Promise(() => {});
      },
    });
    await conversation.send('Go');
    await until('a run', () => signal);

    mount(document.createElement('div')).append(host);
    await Promise.resolve();
    expect(signal?.aborted).to.equal(false);

    host.remove();
    await Promise.resolve();
    expect(signal?.aborted).to.equal(true);
  });
});

function isResult(body: unknown): boolean {
  return JSON.stringify(body ?? null).includes('user.custom_tool_result');
}
