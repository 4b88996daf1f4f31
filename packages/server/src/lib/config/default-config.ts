import type { ConfigInput } from './config.ts';
import type { ModelPrice } from './model.ts';
import { ConfigError } from './parse-config.ts';
import type { ToolConfigInput } from './tools.ts';

/**
 * Returns the configuration that is used without a file: one agent that pages on `localhost` may
 * embed. Pages on `http://127.0.0.1:…`, which is another origin, are rejected: a page that is opened
 * on both origins would have separate cookies and storage on each. The rejection also shows
 * developers what happens on an origin that is not allowed.
 */
export function defaultConfig(environment: NodeJS.ProcessEnv): ConfigInput {
  const model = modelOf(environment);
  return {
    ...(model && {
      prices: { [model.model]: priceOf(environment) ?? assumedPrice },
      models: [{ id: model.model, providers: [{ ...model, name: 'default' }] }],
    }),
    agents: [
      {
        short_id: 'demo',
        name: 'Demo agent',
        description: 'Ask me anything',
        instructions: 'You are a friendly assistant. Answer briefly, in Markdown.',
        model: model ?? { provider: 'scripted' },
        modes: modesOf(model === null),
        tools: defaultTools,
        embed: { allowed_origins: ['http://localhost:*'] },
        publishable_keys: [{ key: 'pk_demo' }],
        appearance: {
          greeting: 'Hello! What can I do for you?',
          starter_prompts: [
            { label: 'Show me a rich answer', prompt: 'tour' },
            { label: 'Write some code', prompt: 'code' },
            { label: 'What is the weather?', prompt: 'weather' },
          ],
          disclaimer: 'Answers of an AI can be wrong.',
          // Allows images of this machine only; other images are loaded after a click.
          image_origins: ['http://localhost:*'],
          features: { forget_me: true },
          cards: true,
          suggestions: true,
        },
      },
    ],
  };
}

/**
 * Modes of the default agent. A real model gets instructions. The scripted model ignores them, and
 * gets a `voice` that makes its answers shorter or longer.
 */
function modesOf(isScripted: boolean): NonNullable<ConfigInput['agents'][number]['modes']> {
  const withVoice = (voice: 'brief' | 'thorough') =>
    isScripted && { model: { provider: 'scripted' as const, voice } };
  return [
    { id: 'balanced', label: 'Balanced' },
    {
      id: 'brief',
      label: 'Brief',
      description: 'The answer, and nothing else',
      instructions: 'Answer in one or two sentences.',
      ...withVoice('brief'),
    },
    {
      id: 'thorough',
      label: 'Thorough',
      description: 'Takes its time',
      instructions: 'Think it through, and say what speaks against your answer too.',
      ...withVoice('thorough'),
    },
  ];
}

/** Returns the model of `INLAY_MODEL_BASE_URL` and `INLAY_MODEL`; null unless both are set. */
function modelOf(environment: NodeJS.ProcessEnv): OpenAiCompatible | null {
  const { INLAY_MODEL_BASE_URL: baseUrl, INLAY_MODEL: model } = environment;
  if (!baseUrl || !model) return null;
  return {
    provider: 'openai-compatible',
    base_url: baseUrl,
    model,
    ...(environment.INLAY_MODEL_API_KEY && { api_key_env: 'INLAY_MODEL_API_KEY' }),
  };
}

type OpenAiCompatible = Extract<
  ConfigInput['agents'][number]['model'],
  { provider: 'openai-compatible' }
>;

/** Price of a large hosted model, assumed for a model without a configured price. */
const assumedPrice: ModelPrice = { input_cents_per_million: 300, output_cents_per_million: 1500 };

/** Returns a notice for the operator if the price of the model is assumed; otherwise null. */
export function assumedPriceNotice(environment: NodeJS.ProcessEnv): string | null {
  const model = modelOf(environment);
  if (!model || priceOf(environment)) return null;
  const { input_cents_per_million: input, output_cents_per_million: output } = assumedPrice;
  return `INLAY_MODEL is ${model.model}, and its price is not given: ${input} cents per million input tokens and ${output} per million output tokens are assumed. Set INLAY_MODEL_INPUT_PRICE and INLAY_MODEL_OUTPUT_PRICE in the same unit, both 0 for a model that costs nothing.`;
}

/** Returns the price in `INLAY_MODEL_INPUT_PRICE` and `INLAY_MODEL_OUTPUT_PRICE`; null if neither is set. */
function priceOf(environment: NodeJS.ProcessEnv): ModelPrice | null {
  const input = readPrice(environment, 'INLAY_MODEL_INPUT_PRICE');
  const output = readPrice(environment, 'INLAY_MODEL_OUTPUT_PRICE');
  if (input === null && output === null) return null;
  if (input === null || output === null) {
    const missing = input === null ? 'INLAY_MODEL_INPUT_PRICE' : 'INLAY_MODEL_OUTPUT_PRICE';
    throw new ConfigError(`${missing} is missing: set both prices of the model, or neither.`);
  }
  return { input_cents_per_million: input, output_cents_per_million: output };
}

function readPrice(environment: NodeJS.ProcessEnv, name: string): number | null {
  const text = environment[name];
  if (!text) return null;
  const price = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && price <= 1_000_000) return price;
  throw new ConfigError(
    `${name} must be a price in cents per million tokens, such as \`15\` or \`0.5\`; it is \`${text}\`.`,
  );
}

/** Tools of the default agent: one, and one that needs approval. They have no effects outside the process. */
const defaultTools: ToolConfigInput[] = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    input_schema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    run: () => '24 °C and sunny',
  },
  {
    type: 'function',
    name: 'send_invitation',
    description: 'Sends an invitation by email. The user is asked first.',
    input_schema: {
      type: 'object',
      properties: { to: { type: 'string' }, subject: { type: 'string' } },
      required: ['to', 'subject'],
    },
    permission: 'ask',
    explain: ({ to, subject }) =>
      `Sends an email to ${String(to)}, with the subject “${String(subject)}”.`,
    run: ({ to, subject }) => `“${String(subject)}” would have gone to ${String(to)}.`,
  },
];
