import * as rule from './provider-rules.ts';

/** A call of a tool by the model. */
export interface ModelCall {
  readonly name: string;
  readonly arguments: string;
}

/** The text and the tool calls of a model's turn. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** A provider as its clients see it: what it refuses, and how it answers. */
export interface Provider {
  /** As in the table of docs/models.md. */
  readonly name: string;
  /** Path of the base URL, with its query. */
  readonly base?: string;
  readonly rules: readonly rule.Rule[];
  /** Status of a refusal. @default 400 */
  readonly status?: number;
  /** The only refusals that a client may cause, in order: it then follows them. */
  readonly refusals?: readonly string[];
  /** The deltas of a turn. */
  readonly deltas: (turn: ModelTurn) => object[];
  /** Finish reasons. @default `stop` and `tool_calls` */
  readonly finish?: { readonly end: string; readonly calls: string };
  /** Answers in JSON although a stream is requested. */
  readonly json?: boolean;
  /** Reasoning that users see, if the model shows any. */
  readonly reasoning?: string;
}

const reasoning = 'They ask for an order.';
let idCount = 0;

function nextId(prefix = 'call_'): string {
  idCount += 1;
  return prefix + idCount.toString().padStart(9, '0');
}

const toCall = ({ name, arguments: text }: ModelCall, id: string) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

/** The text, then each call in fragments, numbered by their index. */
function inFragments({ text, calls }: ModelTurn, prefix?: string): object[] {
  return [
    { role: 'assistant', content: '' },
    ...(text ? [{ content: text.slice(0, 3) }, { content: text.slice(3) }] : []),
    ...calls.flatMap((call, index) => [
      { tool_calls: [{ index, ...toCall({ ...call, arguments: '' }, nextId(prefix)) }] },
      { tool_calls: [{ index, function: { arguments: call.arguments.slice(0, 2) } }] },
      { tool_calls: [{ index, function: { arguments: call.arguments.slice(2) } }] },
    ]),
  ];
}

/** The reasoning in a member of its own, then the rest. */
const withReasoning = (turn: ModelTurn, name = 'reasoning_content') => [
  { role: 'assistant', content: null, [name]: reasoning.slice(0, 4) },
  { content: null, [name]: reasoning.slice(4) },
  ...inFragments(turn),
];

/** The reasoning as raw tags of the model, which the endpoint does not parse. */
const withTags = (turn: ModelTurn) => [
  { role: 'assistant', content: `<think>\n${reasoning}\n</thi` },
  { content: 'nk>\n\n' },
  ...inFragments(turn),
];

const strictTemplate = [rule.alternate, rule.noAgentAtEnd, rule.objectArguments];

export const providers: readonly Provider[] = [
  {
    name: 'OpenAI',
    rules: [rule.unsupported('max_tokens', 'max_completion_tokens'), rule.callIds(/^.{1,40}$/)],
    refusals: ['max_completion_tokens'],
    deltas: inFragments,
  },
  {
    name: 'OpenAI, older models',
    rules: [
      ({ body }) =>
        'max_completion_tokens' in body
          ? 'Unrecognized request argument supplied: max_completion_tokens'
          : null,
      rule.callIds(/^.{1,40}$/),
    ],
    deltas: inFragments,
  },
  {
    name: 'Azure OpenAI',
    base: '/openai/deployments/d?api-version=2025-01-01-preview',
    rules: [rule.address('/openai/deployments/d/chat/completions?api-version=2025-01-01-preview')],
    deltas: inFragments,
  },
  {
    name: 'Mistral',
    status: 422,
    rules: [
      rule.onlyKnown(
        ['model', 'stream', 'messages', 'tools', 'max_tokens'],
        ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix'],
      ),
      rule.callIds(/^[a-zA-Z0-9]{9}$/),
      rule.noUserAfterTool,
      rule.noAgentAtEnd,
      rule.nothingEmpty,
    ],
    refusals: ['stream_options'],
    reasoning,
    deltas: ({ text, calls }) => [
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: reasoning }] }],
      },
      ...(text ? [{ content: text }] : []),
      ...(calls.length > 0
        ? [{ tool_calls: calls.map((call, index) => ({ index, ...toCall(call, nextId('')) })) }]
        : []),
    ],
  },
  {
    name: 'Gemini',
    base: '/v1beta/openai/',
    rules: [rule.signatures, rule.address('/v1beta/openai/chat/completions')],
    // All calls have the index 0, and only the first of parallel calls has a signature.
    deltas: ({ text, calls }) => [
      { role: 'assistant', content: text },
      ...calls.map((call, at) => ({
        tool_calls: [
          {
            index: 0,
            ...(at === 0 && { extra_content: { google: { thought_signature: 'c2ln' } } }),
            ...toCall(call, nextId('function-call-')),
          },
        ],
      })),
    ],
  },
  {
    name: 'DeepSeek',
    rules: [rule.reasoningOfCalls],
    reasoning,
    deltas: withReasoning,
  },
  {
    name: 'Kimi',
    rules: [rule.reasoningOfCalls, rule.nothingEmpty],
    reasoning,
    deltas: withReasoning,
  },
  {
    name: 'Anthropic, through a gateway',
    rules: [
      rule.alternate,
      rule.nothingEmpty,
      rule.noAgentAtEnd,
      rule.objectArguments,
      rule.callIds(/^[a-zA-Z0-9_-]+$/),
    ],
    finish: { end: 'end_turn', calls: 'tool_use' },
    deltas: (turn) => inFragments(turn, 'toolu_'),
  },
  {
    name: 'Ollama',
    rules: [rule.objectArguments],
    reasoning,
    deltas: (turn) => withReasoning(turn, 'reasoning'),
  },
  { name: 'vLLM', rules: strictTemplate, reasoning, deltas: withTags },
  {
    name: 'llama.cpp',
    rules: strictTemplate,
    json: true,
    // Without ids and indices.
    deltas: ({ text, calls }) => [
      {
        role: 'assistant',
        content: text || null,
        ...(calls.length > 0 && { tool_calls: calls.map((call) => toCall(call, '')) }),
      },
    ],
  },
];
