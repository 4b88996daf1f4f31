import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';

describe('the API description', () => {
  it('passes the linter without errors or warnings', async () => {
    const { app } = await setupServer();
    const document = await (await app.request('/meta/v1/openapi.json')).text();

    const found = await lintFromString({
      source: document,
      config: await createConfig({ extends: ['recommended-strict'] }),
    });

    expect(
      found.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
      ),
    ).toEqual([]);
  });
});
