import { demoTools } from '../models/scripted/demo-tools.ts';
import type { ConfigInput } from './config.ts';
import type { ModelConfig } from './model.ts';

/**
 * What runs without a configuration file: one agent that any page on `localhost` may embed. To a
 * browser `http://127.0.0.1:…` is another origin, and it is left out: one name for development keeps
 * cookies, storage and origins of a page together, and a second page to be refused close at hand.
 */
export function defaultConfig(environment: NodeJS.ProcessEnv): ConfigInput {
  const model = modelOf(environment);
  return {
    agents: [
      {
        short_id: 'demo',
        name: 'Demo agent',
        description: 'Ask me anything',
        instructions: 'You are a friendly assistant. Answer briefly, in Markdown.',
        model: model ?? { provider: 'scripted' },
        modes: modesOf(model === null),
        tools: demoTools,
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
          // Pictures of this machine alone; others wait for a click.
          image_origins: ['http://localhost:*'],
          features: { forget_me: true },
          cards: true,
          suggestions: true,
        },
      },
    ],
  };
}

/** A model is told how to answer; the scripted one has a voice for it. */
function modesOf(isScripted: boolean): NonNullable<ConfigInput['agents'][number]['modes']> {
  const voice = (voice: 'brief' | 'thorough') =>
    isScripted && { model: { provider: 'scripted' as const, voice } };
  return [
    { id: 'balanced', label: 'Balanced' },
    {
      id: 'brief',
      label: 'Brief',
      description: 'The answer, and nothing else',
      instructions: 'Answer in one or two sentences.',
      ...voice('brief'),
    },
    {
      id: 'thorough',
      label: 'Thorough',
      description: 'Takes its time',
      instructions: 'Think it through, and say what speaks against your answer too.',
      ...voice('thorough'),
    },
  ];
}

/** `INLAY_MODEL_BASE_URL` and `INLAY_MODEL` give the default agent a real model. */
function modelOf(environment: NodeJS.ProcessEnv): ConfigModel | null {
  const { INLAY_MODEL_BASE_URL: address, INLAY_MODEL: model } = environment;
  if (!address || !model) return null;
  return {
    provider: 'openai-compatible',
    base_url: address,
    model,
    ...(environment.INLAY_MODEL_API_KEY && { api_key_env: 'INLAY_MODEL_API_KEY' }),
  };
}

type ConfigModel = ConfigInput['agents'][number]['model'] & { provider: ModelConfig['provider'] };
