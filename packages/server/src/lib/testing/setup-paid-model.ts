import { chatEndpoint, chunk, done, finish, type Handler, stream, usage } from './chat-endpoint.ts';

/** A response that costs 2 cents. */
export const paidResponse = stream(
  chunk({ content: 'All is well.' }),
  finish(),
  usage(1000, 500),
  done,
);

/** Starts a model endpoint with these handlers, and returns settings with a price for its model. */
export async function setupPaidModel(
  handlers: Handler[],
  options: { budget?: number; data?: string } = {},
) {
  const endpoint = await chatEndpoint(...handlers);
  const settings = {
    ...(options.data && { data: options.data }),
    config: { prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } } },
    agent: {
      model: { provider: 'openai-compatible' as const, base_url: endpoint.url, model: 'm' },
      embed: {
        allowed_origins: ['https://app.example.com'],
        default_budget_cents: options.budget ?? null,
      },
      publishable_keys: [{ key: 'pk_test', spend_cents_per_day: 3 }],
    },
  };
  return { ...endpoint, settings };
}
