import { createTestBed, type TestBed } from '@inlay/client/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let bed: TestBed;
beforeEach(() => {
  bed = createTestBed({ user: 'ada', ttlSeconds: 300 });
});
afterEach(() => bed.close());

it('closes the conversation after a revocation', async () => {
  const conversation = bed.client.conversation();
  await conversation.send('Hi');

  bed.user = null; // the page gets no new token
  bed.platform.revokeAll('ada');
  await bed.until(() => bed.client.auth.status === 'revoked');

  expect(conversation.state.connection).toBe('closed');
  expect(bed.client.auth.canReconnect).toBe(true);
});

it('shows nothing of the previous user', async () => {
  const conversation = bed.client.conversation();
  await conversation.send('My secret');

  bed.user = 'bob';
  bed.client.reset();

  expect(conversation.state.entries).toEqual([]);
  expect((await bed.client.config()).token.external_user_id).toBe('bob');
  expect((await bed.client.sessions.list()).data).toEqual([]);
});

it('refreshes the token before it expires', async () => {
  await bed.client.config();
  await bed.clock.advance(300_000);

  expect(bed.client.auth.status).toBe('ok');
  expect(bed.getTokenCalls).toBe(2);
});

it('shows that the budget is used up', async () => {
  const session = bed.platform.createSession({ user: 'ada', budgetCents: 5 });
  bed.platform.answer = [{ say: 'That was expensive.' }, { spend_cents: 5 }];
  const conversation = bed.client.conversation(session.id);
  await conversation.send('Think hard');
  await bed.until(() => !conversation.state.running);

  const rejected = conversation.send('More');
  await expect(rejected).rejects.toMatchObject({ code: 'EMBED_BUDGET_EXCEEDED' });
  expect(bed.client.auth.status).toBe('over_budget');
});
