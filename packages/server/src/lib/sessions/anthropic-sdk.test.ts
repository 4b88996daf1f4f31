import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

/** `@anthropic-ai/sdk` is a third-party client of the Managed Agents API. */
describe('@anthropic-ai/sdk', () => {
  it('creates, streams, lists, retrieves, archives and deletes sessions, and sends messages', async () => {
    const { url, token } = await setupConversation();
    const client = new Anthropic({
      baseURL: `${url}/agent`,
      authToken: token,
      apiKey: null,
      defaultHeaders: { origin: testOrigin },
      maxRetries: 0,
    });

    const session = await client.beta.sessions.create({ agent: 'test', environment_id: 'env_1' });
    const stream = await client.beta.sessions.events.stream(session.id, {
      event_deltas: ['agent.message'],
    });
    await client.beta.sessions.events.send(session.id, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: 'table' }] }],
    });
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'session.status_idle') break;
    }

    expect(types).toContain('event_delta');
    expect(types).toContain('agent.message');
    const listed: string[] = [];
    for await (const event of client.beta.sessions.events.list(session.id, { limit: 2 })) {
      listed.push(event.type);
    }
    expect(listed).toEqual(types.filter((type) => !type.startsWith('event_')));
    const filtered = await client.beta.sessions.events.list(session.id, {
      types: ['agent.message'],
    });
    expect(filtered.data.map(({ type }) => type)).toEqual(['agent.message']);
    expect((await client.beta.sessions.retrieve(session.id)).status).toBe('idle');
    const listedIds: string[] = [];
    for await (const { id } of client.beta.sessions.list()) listedIds.push(id);
    expect(listedIds).toEqual([session.id]);
    expect((await client.beta.sessions.archive(session.id)).archived_at).toBeTruthy();
    expect((await client.beta.sessions.delete(session.id)).id).toBe(session.id);
    await expect(client.beta.sessions.retrieve(session.id)).rejects.toMatchObject({ status: 404 });
  });
});
