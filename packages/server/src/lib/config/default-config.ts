import { demoTools } from '../models/scripted/demo-tools.ts';
import type { ConfigInput } from './config.ts';
import type { ModelConfig } from './model.ts';

/**
 * What runs without a configuration file: one agent that any page on `localhost` may embed. To a
 * browser `http://127.0.0.1:…` is another origin, and it is left out: one name for development keeps
 * cookies, storage and origins of a page together, and a second page to be refused close at hand.
 */
export function defaultConfig(environment: NodeJS.ProcessEnv): ConfigInput {
  return {
    agents: [
      {
        short_id: 'demo',
        name: 'Demo agent',
        description: 'Ask me anything',
        instructions: 'You are a friendly assistant. Answer briefly, in Markdown.',
        model: modelOf(environment) ?? { provider: 'scripted' },
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
        },
      },
    ],
  };
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
