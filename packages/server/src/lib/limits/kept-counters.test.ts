/** Daily counters of end users, which deletions do not reset. */
import { describe, expect, it } from 'vitest';
import { allRights, setupRights } from '../testing/setup-data-rights.ts';

const appearance = { ...allRights, features: { ...allRights.features, delete: true } };

describe('the daily counters of a user', () => {
  it('are kept by the deletion of all data and of single sessions', async () => {
    const { call, create, file, upload } = await setupRights({
      agent: { appearance },
      config: {
        limits: {
          user: { message_bytes_per_day: 400, empty_sessions_per_day: 2, file_bytes_per_day: 100 },
        },
      },
    });
    const text = { type: 'user.message', content: [{ type: 'text', text: 'x'.repeat(200) }] };
    await create([text]);
    const empty = await create([]);
    await call('DELETE', `/sessions/${empty}`);
    await create([]);
    await file('x'.repeat(60));

    expect((await call('POST', '/embed/forget_me')).status).toBe(200);

    const refused = [
      await call('POST', '/sessions', { initial_events: [text] }),
      await call('POST', '/sessions', {}),
      await upload('x'.repeat(60)),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect((await upload('x'.repeat(40))).status).toBe(200);
  });

  it('do not include an empty session that got a message', async () => {
    const { call, create } = await setupRights({
      config: { limits: { user: { empty_sessions_per_day: 1 } } },
    });
    const text = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
    const id = await create([]);

    expect((await call('POST', '/sessions', {})).status).toBe(429);
    expect((await call('POST', `/sessions/${id}/events`, { events: [text] })).status).toBe(200);
    expect((await call('POST', '/sessions', {})).status).toBe(200);
  });
});
