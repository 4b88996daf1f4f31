import { describe, expect, it } from 'vitest';
import { chatEndpoint } from '../testing/chat-endpoint.ts';
import { paidResponse } from '../testing/setup-paid-model.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadConfig } from './load-config.ts';
import { parseConfig } from './parse-config.ts';

const model = { provider: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1', model: 'large' };
const agent = { short_id: 'a', name: 'A', model: { provider: 'scripted' } };
const keys = { publishable_keys: [{ key: 'pk_a' }] };

it('a model that has the name of an inherited member has no price', () => {
  const { prices } = parseConfig({ agents: [agent], prices: { large: {} } }, 'it');

  expect([prices.large, prices.constructor, prices.toString]).toEqual([
    expect.anything(),
    undefined,
    undefined,
  ]);
});

describe('a model without a price', () => {
  it.each([
    [
      'the agent has a publishable key, which has a daily budget',
      { ...agent, ...keys, model },
      'agents[0].model is `large`, which has no price, so that the daily budget of its publishable keys would never be reached. Add `large` to `prices`',
    ],
    [
      'the embed policy has a budget',
      { ...agent, model, embed: { default_budget_cents: 10 } },
      'agents[0].model is `large`, which has no price, so that the budget of its embed policy',
    ],
    [
      'a mode of an agent with a publishable key uses it',
      { ...agent, ...keys, modes: [{ id: 'm', label: 'M', model }] },
      'agents[0].modes[0].model is `large`',
    ],
    [
      'an earlier version of an agent with a publishable key uses it',
      { ...agent, ...keys, version: '2', previous_versions: { '1': { model } } },
      'agents[0].previous_versions.1.model is `large`',
    ],
  ])('is rejected if %s', (_, value, message) => {
    expect(() => parseConfig({ agents: [value] }, 'it')).toThrow(message);
    expect(() => parseConfig({ agents: [value], prices: { large: {} } }, 'it')).not.toThrow();
  });

  it('is accepted if nothing limits the spending', () => {
    expect(() => parseConfig({ agents: [{ ...agent, model, embed: {} }] }, 'it')).not.toThrow();
  });

  it('prevents creating a publishable key, and setting the budget of a token or policy, at run time', async () => {
    const { url } = await chatEndpoint(paidResponse);
    const server = await setupServer({
      agent: { model: { ...model, base_url: url } as never, publishable_keys: [] },
    });
    const responses = await Promise.all([
      server.backend('POST', '/agent/v1/embed_tokens', {
        agent: 'test',
        external_user_id: 'ada',
        budget_cents: 10,
      }),
      server.backend('POST', '/agent/v1/agents/test/publishable_keys', {}),
      server.backend('POST', '/agent/v1/agents/test', {
        embed: { allowed_origins: [testOrigin], max_budget_cents: 10 },
      }),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([400, 409, 400]);
    for (const response of responses) expect(await response.text()).toContain('`large`');
  });
});

describe('the price of INLAY_MODEL', () => {
  const variables = { INLAY_MODEL_BASE_URL: 'http://127.0.0.1:1/v1', INLAY_MODEL: 'large' };
  const load = async (more: Record<string, string>) => {
    const notices: string[] = [];
    const config = await loadConfig({ ...variables, ...more }, temporaryFolder(), (notice) =>
      notices.push(notice),
    );
    return { price: config.prices.large, notices };
  };

  it('defaults to the price of a large model, with a notice for the operator', async () => {
    const { price, notices } = await load({});

    expect(price).toEqual({ input_cents_per_million: 300, output_cents_per_million: 1500 });
    expect(notices).toEqual([expect.stringContaining('Set INLAY_MODEL_INPUT_PRICE and')]);
  });

  it('is read from the variables, and may be 0', async () => {
    const { price, notices } = await load({
      INLAY_MODEL_INPUT_PRICE: '0',
      INLAY_MODEL_OUTPUT_PRICE: '0',
    });

    expect(price).toEqual({ input_cents_per_million: 0, output_cents_per_million: 0 });
    expect(notices).toEqual([]);
  });

  it('causes an error that names the variable that is missing or invalid', async () => {
    await expect(load({ INLAY_MODEL_INPUT_PRICE: '15' })).rejects.toThrow(
      'INLAY_MODEL_OUTPUT_PRICE is missing',
    );
    await expect(
      load({ INLAY_MODEL_INPUT_PRICE: '-1', INLAY_MODEL_OUTPUT_PRICE: '1' }),
    ).rejects.toThrow('INLAY_MODEL_INPUT_PRICE must be a price in cents per million tokens');
  });
});
