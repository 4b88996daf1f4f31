/** Checks the metrics and the alerts with Prometheus’s own tool. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { chatEndpoint, chunk, done, finish, stream } from '../testing/chat-endpoint.ts';
import { findProgram } from '../testing/services/program.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { createMetrics } from './metrics.ts';

const promtool = (args: readonly string[], input = '') =>
  execFileSync(findProgram('promtool', 'prometheus'), args, { input, encoding: 'utf8' });

it('serves metrics that `promtool check metrics` accepts, whatever the names of models are', async () => {
  const endpoint = await chatEndpoint(stream(chunk({ content: 'Hello.' }), finish(), done));
  const metrics = createMetrics();
  const model = 'a "model"\nwith a \\ in its name';
  const { create, follow } = await setupConversation({
    metrics,
    agent: { model: { provider: 'openai-compatible', base_url: endpoint.url, model } },
    config: { prices: { [model]: {} } },
  });
  const events = await follow(await create('hello'));
  await events.until(isType('session.status_idle'));

  const { text } = await metrics.read();

  expect(text).toContain('gen_ai_request_model="a \\"model\\"\\nwith a \\\\ in its name"');
  expect(promtool(['check', 'metrics'], text)).toBe('');
});

it('has alerts that `promtool check rules` accepts', () => {
  const file = new URL('../../../../../deploy/monitoring/alerts.yml', import.meta.url);

  expect(promtool(['check', 'rules', fileURLToPath(file)])).toContain('SUCCESS: 10 rules found');
});
