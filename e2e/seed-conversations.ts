/**
 * Adds conversations of the demo's agents to a data directory, which no server may use meanwhile:
 * `node --conditions=source --import tsx e2e/seed-conversations.ts <directory> [count]`, by default 100,000.
 */
import { agentIdOf } from '../packages/server/src/lib/agents/agent.ts';
import { createSqliteStore } from '../packages/server/src/lib/store/sqlite-store.ts';
import { seedConversations } from '../packages/server/src/lib/testing/seed-conversations.ts';

const [data, count = '100000'] = process.argv.slice(2);
if (!data) throw new Error('Name the data directory, such as .inlay/demo.');
const store = await createSqliteStore({ data, synchronous: 'normal' });
await seedConversations(store.db, {
  count: Number(count),
  agentIds: ['demo', 'lounge'].map((short_id) => agentIdOf({ short_id })),
  now: Date.now(),
});
await store.close();
