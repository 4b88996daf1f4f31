import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../sqlite-store.ts';
import { tenantObjects } from './0021-tenant-objects.ts';

it('objects that belonged to an API key belong to the tenant', async () => {
  const { db, close } = await createSqliteStore({ data: 'memory' });
  onTestFinished(close);
  const row = { metadata: '{}', created_at: 1, active_at: 1 };
  await db
    .insertInto('chat_model_conversations')
    .values([
      { id: 'conv_a', owner: 'key_0123456789ab', ...row },
      { id: 'conv_b', owner: 'environment', ...row },
    ])
    .execute();

  await tenantObjects.up(db);

  const owners = await db.selectFrom('chat_model_conversations').select('owner').execute();
  expect(owners).toEqual([{ owner: 'environment' }, { owner: 'environment' }]);
});
