import { type Answer, chatEndpoint, chunk, done, finish, stream, usage } from './chat-endpoint.ts';

/** An answer that costs 2 cents. */
export const good = stream(chunk({ content: 'All is well.' }), finish(), usage(1000, 500), done);

/** An endpoint that gives these answers one after the other, and a server with a price for them. */
export async function setupPaidModel(
  answers: Answer[],
  options: { budget?: number; data?: string } = {},
) {
  const endpoint = await chatEndpoint(...answers);
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
