import { readFile } from 'node:fs/promises';
import { createPlatformClient } from '@inlay/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPlatform } from '../start-platform.ts';
import { startProvider } from './provider-server.ts';
import { type Provider, providers } from './providers.ts';

const apiKey = 'sk-service-of-the-provider-tests-and-no-other';
const origin = 'https://app.example.com';

interface LoggedEvent {
  readonly type: string;
  readonly content?: { readonly text: string }[];
  readonly error?: { readonly type: string };
  readonly seq: number;
}

/** Starts a platform whose agent uses the provider, and a conversation with the agent. */
async function startConversation(provider: Provider) {
  const server = await startProvider(provider);
  const tool = (name: string) => ({
    type: 'function' as const,
    name,
    description: '',
    run: () => `${name}: found`,
  });
  const platform = await startPlatform(
    {
      limits: { api_key: { requests_per_second: 1000, concurrent: 100 } },
      agents: [
        {
          short_id: 'test',
          name: 'Test agent',
          instructions: 'Be brief.',
          model: {
            provider: 'openai-compatible',
            base_url: server.url,
            model: 'm',
            max_output_tokens: 2000,
          },
          appearance: { suggestions: true },
          tools: [tool('get_order'), tool('track_parcel')],
          embed: {
            allowed_origins: [origin],
            limits: { requests_per_second: 1000, concurrent: 100 },
          },
        },
      ],
    },
    { apiKey },
  );
  onTestFinished(async () => {
    await platform.stop('immediate');
    await server.close();
  });
  const { embedTokens } = createPlatformClient({ baseUrl: platform.baseUrl, apiKey });
  const { token } = await embedTokens.issue({ agent: 'test', external_user_id: 'kim' });
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${platform.baseUrl}/agent/v1/sessions${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, origin, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Body;
  };
  const { id } = await call<{ id: string }>('POST', '', {});
  const log = async () =>
    (await call<{ data: LoggedEvent[] }>('GET', `/${id}/events?limit=200`)).data;
  return {
    server,
    log,
    /** Sends a message, and waits until its run has ended. */
    async say(text: string) {
      const message = { type: 'user.message', content: [{ type: 'text', text }] };
      const { data } = await call<{ data: LoggedEvent[] }>('POST', `/${id}/events`, {
        events: [message],
      });
      const sent = data[0]?.seq ?? 0;
      await expect
        .poll(async () =>
          (await log()).some(({ type, seq }) => seq > sent && type === 'session.status_idle'),
        )
        .toBe(true);
    },
  };
}

const textsOf = (log: readonly LoggedEvent[], wanted: string) =>
  log.flatMap(({ type, content }) =>
    type === wanted ? [(content ?? []).map(({ text }) => text).join('')] : [],
  );

describe('a conversation with the rules of a provider', () => {
  it.each(providers.map((provider) => [provider.name, provider] as const))(
    '%s: parallel tools, suggestions, an empty answer and the next message',
    async (_, provider) => {
      const { say, log, server } = await startConversation(provider);

      await say('Where is my order?');
      await say('thanks');
      await say('bye');

      const events = await log();
      expect(server.refusals).toEqual(
        (provider.refusals ?? []).map((text) => expect.stringContaining(text)),
      );
      expect(textsOf(events, 'agent.message')).toEqual(['It is in Zurich.', 'Goodbye.']);
      expect(textsOf(events, 'agent.tool_result').toSorted()).toEqual([
        'get_order: found',
        'track_parcel: found',
      ]);
      expect(events.filter(({ type }) => type === 'agent.suggestions')).toHaveLength(1);
      expect(events.flatMap(({ error }) => error?.type ?? [])).toEqual(['answer_empty_error']);
      expect(new Set(textsOf(events, 'agent.thinking'))).toEqual(
        new Set(provider.reasoning ? [provider.reasoning] : []),
      );
      // The question, the tool round, the empty answer, the last message.
      expect(server.requests).toHaveLength(4);
    },
  );

  it('is described in docs/models.md for each provider', async () => {
    const page = await readFile(new URL('../../docs/models.md', import.meta.url), 'utf8');

    for (const { name } of providers) expect(page).toContain(`| ${name} |`);
  });
});
