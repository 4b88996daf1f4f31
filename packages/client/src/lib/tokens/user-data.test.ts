import { describe, expect, it } from 'vitest';
import { setupBed } from '../testing/bed-setup.ts';
import { FakeStore } from '../testing/fake-store.ts';
import { defaultFeatures } from '../testing/platform/settings.ts';
import { anonymousVisitor } from './sources/anonymous.ts';
import { hostTokens } from './sources/host.ts';

/** Sets up a visitor with a conversation, who then signs in in the same browser. */
async function setup({ allowed = true } = {}) {
  const location = { publishableKey: 'pk_test', store: new FakeStore() };
  const features = { ...defaultFeatures, visitor_claim: allowed };
  const bed = setupBed({ config: { features }, client: { tokens: anonymousVisitor(location) } });
  const conversation = bed.client.conversation();
  await conversation.send('Where is my parcel?');
  await bed.until(() => !conversation.state.running);
  const signIn = (user: string) =>
    bed.openTab({ tokens: hostTokens(() => bed.platform.issue(user)) }).client;
  return { bed, location, signIn, ada: signIn('ada'), visitor: bed.client };
}

describe('client.earlierVisitor', () => {
  it('moves the conversations to the user who agrees to, and deletes the secret', async () => {
    const { ada, location, visitor } = await setup();
    const [secret] = location.store.content.values();
    const found = await ada.earlierVisitor(location);
    expect(found?.sessions).toBe(1);
    expect((await ada.sessions.list()).data).toEqual([]);

    await found?.claim();

    expect((await ada.sessions.list()).data).toMatchObject([{ preview: 'Where is my parcel?' }]);
    // Another tab, in which no user is signed in, becomes a new visitor.
    await expect(visitor.sessions.list()).rejects.toMatchObject({ code: 'SUBJECT_CHANGED' });
    expect((await visitor.sessions.list()).data).toEqual([]);
    expect([...location.store.content.values()]).not.toContain(secret);
    expect(await ada.earlierVisitor(location)).toBeNull();
  });

  it('deletes the secret of a user who declines, so that the next user is not asked', async () => {
    const { ada, location, signIn } = await setup();

    (await ada.earlierVisitor(location))?.forget();

    expect(location.store.content.size).toBe(0);
    expect(await signIn('eve').earlierVisitor(location)).toBeNull();
    expect((await ada.sessions.list()).data).toEqual([]);
  });

  it('lets two tabs claim at the same time, and a user who signs in later get nothing', async () => {
    const { ada, location, signIn } = await setup();
    const tabs = [ada, signIn('ada')];
    const found = await Promise.all(tabs.map((tab) => tab.earlierVisitor(location)));
    const late = await signIn('eve').earlierVisitor(location);

    await Promise.all(found.map((visitor) => visitor?.claim()));
    await late?.claim();

    for (const tab of tabs) expect((await tab.sessions.list()).data).toHaveLength(1);
    expect((await signIn('eve').sessions.list()).data).toEqual([]);
  });

  it('does not let a user answer the question of the previous user', async () => {
    const { bed, location } = await setup();
    let user = 'ada';
    const { client } = bed.openTab({ tokens: hostTokens(() => bed.platform.issue(user)) });
    const found = await client.earlierVisitor(location);
    user = 'eve';
    client.reset();

    await expect(found?.claim()).rejects.toMatchObject({ code: 'SUBJECT_CHANGED' });
    expect((await client.sessions.list()).data).toEqual([]);
  });

  it('keeps the secret when the policy forbids the claim', async () => {
    const { ada, location } = await setup({ allowed: false });
    expect(await ada.earlierVisitor(location)).toBeNull();
    expect(location.store.content.size).toBe(1);
  });
});
