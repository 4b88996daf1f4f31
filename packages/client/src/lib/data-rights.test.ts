import { describe, expect, it } from 'vitest';
import { setupBed } from './testing/bed-setup.ts';
import { FakeStore } from './testing/fake-store.ts';
import type { TestBedOptions } from './testing/test-bed.ts';
import { anonymousVisitor } from './tokens/sources/anonymous.ts';

async function setup(options: TestBedOptions = {}) {
  const bed = setupBed(options);
  const conversation = bed.client.conversation();
  await conversation.send('Where is my parcel?');
  await bed.until(() => !conversation.state.running);
  const id = conversation.state.session?.id ?? '';
  return { bed, conversation, id, client: bed.client };
}

const features = { attachments: true, feedback: true, threads: true, forget_me: true };

describe('client.sessions', () => {
  it('searches sessions by their messages, lists the latest first, and filters archived sessions', async () => {
    const { bed, client, id } = await setup();
    await bed.clock.advance(1_000);
    const other = client.conversation();
    await other.send('Hello');
    await bed.until(() => !other.state.running);
    const idsOf = async (options: Parameters<typeof client.sessions.list>[0]) =>
      (await client.sessions.list(options)).data.map((session) => session.id);
    expect(await idsOf({ query: 'PARCEL' })).toEqual([id]);
    expect((await idsOf({}))[1]).toBe(id);
    await client.sessions.archive(id);
    expect(await idsOf({})).toHaveLength(1);
    expect(await idsOf({ archived: true })).toEqual([id]);
    expect(await idsOf({ archived: 'any' })).toHaveLength(2);
    expect((await client.sessions.unarchive(id)).archived_at).toBeNull();
    expect(await idsOf({ archived: false })).toHaveLength(2);
    expect((await client.sessions.get(id)).preview).toBe('Where is my parcel?');
  });

  it('exports a session as Markdown and as JSON', async () => {
    const { client, id } = await setup();
    const markdown = await (await client.sessions.export(id, 'markdown')).text();
    expect(markdown).toContain('Where is my parcel?');
    const json = JSON.parse(await (await client.sessions.export(id, 'json')).text());
    expect(json.events[0]).toMatchObject({ type: 'user.message', parent_id: null });
  });

  it('rejects an export or deletion that the agent’s configuration forbids', async () => {
    const config = { features: { ...features, export: false, delete: false } };
    const { client, id } = await setup({ config });
    const disabled = { code: 'EMBED_FEATURE_DISABLED', status: 403 };
    await expect(client.sessions.export(id, 'json')).rejects.toMatchObject(disabled);
    await expect(client.sessions.delete(id)).rejects.toMatchObject(disabled);
  });
});

describe('client.giveConsent', () => {
  const given = { text_sha256: 'a'.repeat(64), language: 'en' };
  const config = { consent: { text: 'Agree?', text_sha256: given.text_sha256 } };

  it('sends the consent until the platform has recorded it', async () => {
    const bed = setupBed({ config });
    await bed.client.config();
    bed.goOffline();
    let recorded: unknown;
    void bed.client.giveConsent(given).then((consent) => {
      recorded = consent;
    });
    await bed.clock.advance(10_000);
    expect(recorded).toBeUndefined();

    bed.faults.loseResponse('POST /embed/consents');
    bed.goOnline();
    await bed.until(() => recorded !== undefined);

    expect(recorded).toMatchObject({ text: 'Agree?', ...given });
  });

  it('rejects the hash of another text', async () => {
    const { client } = setupBed({ config });

    await expect(
      client.giveConsent({ ...given, text_sha256: 'b'.repeat(64) }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('client.forgetMe', () => {
  it('deletes a visitor’s data on the platform, in this browser and in other tabs', async () => {
    const [visitorStore, draftStore] = [new FakeStore(), new FakeStore()];
    const { bed, client, conversation, id } = await setup({
      config: { features },
      client: {
        tokens: anonymousVisitor({ publishableKey: 'pk_test', store: visitorStore }),
        draftStore,
      },
    });
    const { externalUserId } = client.auth;
    const tab = bed.openTab({
      tokens: anonymousVisitor({ publishableKey: 'pk_test', store: visitorStore }),
    }).client;
    const inOtherTab = tab.conversation(id);
    await bed.until(() => inOtherTab.state.entries.length === 2);
    conversation.setDraft('Half a sentence');

    const forgotten = await client.forgetMe();

    expect(forgotten).toMatchObject({ sessions: 1, files: 0 });
    expect([...visitorStore.content, ...draftStore.content].join()).not.toMatch(/vs_|Half/);
    expect(conversation.state.entries).toEqual([]);
    await bed.until(() => inOtherTab.state.connection === 'closed');
    expect((await client.sessions.list()).data).toEqual([]);
    expect((await client.config()).token.external_user_id).not.toBe(externalUserId);
  });

  it('deletes nothing when the agent’s configuration forbids the deletion', async () => {
    const { client, conversation } = await setup();
    await expect(client.forgetMe()).rejects.toMatchObject({ code: 'EMBED_FEATURE_DISABLED' });
    expect(conversation.state.entries).toHaveLength(2);
  });
});
