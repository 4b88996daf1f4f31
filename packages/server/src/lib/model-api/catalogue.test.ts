import { ModelPage } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../config/default-config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { setupModelService } from '../testing/setup-model-service.ts';
import { upstreamKey } from '../testing/setup-server.ts';

const path = '/model/v1/models';

describe('GET /model/v1/models', () => {
  it('4.12: lists models with their protocols and prices, and requires no key', async () => {
    const { url } = await setupModelService({
      model: { supported_apis: ['chat_completions', 'videos'], name: 'Model M' },
      config: {
        prices: {
          m: {
            input_cents_per_million: 300,
            output_cents_per_million: 1500,
            video_second_cents: 5,
          },
        },
      },
    });

    const response = await fetch(url + path);

    expect(response.status).toBe(200);
    const page = ModelPage.parse(await response.json());
    expect(page).toEqual({
      data: [
        {
          id: 'm',
          object: 'model',
          name: 'Model M',
          description: null,
          supported_apis: ['chat_completions', 'videos'],
          supported_parameters: null,
          context_length: null,
          pricing: { input_per_million: 3, output_per_million: 15, video_second: 0.05 },
          rate_limits: { requests_per_minute: 0, tokens_per_minute: 0 },
        },
      ],
      next_cursor: null,
    });
  });

  it('8.3.1: shows the limits of each model', async () => {
    const { url } = await setupModelService({
      model: { requests_per_minute: 60, tokens_per_minute: 90_000 },
    });

    const { data } = ModelPage.parse(await (await fetch(url + path)).json());

    expect(data[0]?.rate_limits).toEqual({ requests_per_minute: 60, tokens_per_minute: 90_000 });
  });

  it('5.4: refuses a wrong key', async () => {
    const { url } = await setupModelService();

    const response = await fetch(url + path, { headers: { authorization: 'Bearer sk-service-x' } });

    expect(response.status).toBe(401);
  });

  it('8.2.6: counts requests without a key against the rate limit of the source address', async () => {
    const { url, backend } = await setupModelService({
      config: {
        limits: {
          api_key: { requests_per_second: 5, concurrent: 4 },
          source: { requests_per_second: 2, concurrent: 2 },
        },
      },
    });

    const anonymous = await Promise.all([1, 2, 3].map(() => fetch(url + path)));
    const withKey = await backend('GET', path);

    expect(anonymous.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    expect(withKey.headers.get('x-ratelimit-limit-requests')).toBe('5');
    expect(withKey.status).toBe(200);
  });

  it('lists the scripted model if no model is configured', async () => {
    const { url } = await setupModelService({ config: { models: undefined } });

    const { data } = ModelPage.parse(await (await fetch(url + path)).json());

    expect(data.map(({ id }) => id)).toEqual(['scripted']);
  });

  it('returns neither addresses nor credentials of providers', async () => {
    const { url } = await setupModelService();

    const text = await (await fetch(url + path)).text();

    expect(text).not.toMatch(/127\.0\.0\.1|UPSTREAM_KEY/);
    expect(text).not.toContain(upstreamKey);
  });
});

describe('the catalogue without a configuration file', () => {
  it('has the model of INLAY_MODEL', async () => {
    const environment = {
      INLAY_MODEL_BASE_URL: 'https://u.example/v1',
      INLAY_MODEL: '@vendor/family/model-2:free',
      INLAY_MODEL_API_KEY: 'secret',
    };

    const { models } = parseConfig(defaultConfig(environment), 'The default configuration');

    expect(models).toMatchObject([
      {
        id: environment.INLAY_MODEL,
        providers: [{ name: 'default', base_url: 'https://u.example/v1', enabled: true }],
      },
    ]);
  });

  it('has the scripted model without INLAY_MODEL', () => {
    const { models } = parseConfig(defaultConfig({}), 'The default configuration');

    expect(models.map(({ id }) => id)).toEqual(['scripted']);
  });
});

describe('models in the configuration', () => {
  const agents = [{ short_id: 'a', name: 'A', model: { provider: 'scripted' } }];
  const model = { id: 'm', providers: [{ provider: 'scripted' }] };
  const provider = { provider: 'openai-compatible', base_url: 'https://u.example/v1', model: 'x' };

  it.each([
    ['a duplicate id', [model, model], 'models[1].id'],
    [
      'a duplicate provider',
      [
        {
          ...model,
          providers: [
            { ...provider, name: 'a' },
            { ...provider, name: 'a' },
          ],
        },
      ],
      'models[0].providers[1].name',
    ],
    ['no provider', [{ id: 'm', providers: [] }], 'models[0].providers'],
    ['an unnamed provider', [{ id: 'm', providers: [provider] }], 'models[0].providers[0].name'],
    [
      'a budget without a price',
      [{ ...model, budget_cents_per_month: 5 }],
      'models[0].budget_cents_per_month',
    ],
    ['an id that contains a space', [{ ...model, id: 'a b' }], 'models[0].id'],
    ['an unknown field', [{ ...model, color: 'red' }], 'models[0]'],
  ])('are refused with %s', (_, models, path) => {
    expect(() => parseConfig({ agents, models }, 'inlay.config.ts')).toThrow(path);
  });
});
