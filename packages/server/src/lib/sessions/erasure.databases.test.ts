import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { follow } from '../testing/follow.ts';
import { listen } from '../testing/listen.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { allRights, model, setupRights as setup } from '../testing/setup-data-rights.ts';

describe('the deletion of a user’s data', () => {
  it('removes all data of the user, and no data of others', async () => {
    const {
      call,
      create,
      file,
      attached,
      blobs,
      tablesWithRows,
      settled,
      issue,
      requestAsPage,
      requestAsUser,
    } = await setup({ agent: { appearance: allRights } });
    const key = { publishable_key: 'pk_test' };
    const visitor = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', key);
    const { token, visitor_secret } = (await visitor.json()) as Record<string, string>;
    const id = await create([message('secret'), attached(await file('a', token))], token);
    await file('b', token);
    await settled();
    await requestAsUser(token ?? '', 'POST', '/agent/v1/sessions', {}, { 'idempotency-key': 'k' });
    const log = await call('GET', `/sessions/${id}/events?types=agent.message`, undefined, token);
    const [answer] = ((await log.json()) as { data: { id: string }[] }).data;
    const feedback = { event_id: answer?.id, rating: 'up' };
    await call('POST', `/sessions/${id}/feedback`, feedback, token);
    const eve = (await issue('eve')).token;
    const otherSession = await create([attached(await file('hers', eve))], eve);
    await settled();

    const forgotten = await call('POST', '/embed/forget_me', undefined, token);

    expect([forgotten.status, await forgotten.json()]).toMatchObject([
      200,
      {
        type: 'forgotten',
        external_user_id: expect.stringMatching(/^anon_/),
        sessions: 2,
        files: 2,
      },
    ]);
    await expect.poll(blobs).toHaveLength(1);
    expect((await call('GET', `/sessions/${otherSession}`, undefined, eve)).status).toBe(200);
    expect((await call('GET', `/sessions/${id}`, undefined, token)).status).toBe(404);
    const again = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      ...key,
      visitor_secret,
    });
    const { visitor_secret: fresh } = (await again.json()) as Record<string, string>;
    expect(fresh).toBeTruthy();
    expect(fresh).not.toBe(visitor_secret);

    await call('POST', '/embed/forget_me', undefined, eve);
    await expect.poll(blobs).toEqual([]);
    // This row is the new visitor that was created after the deletion.
    await expect.poll(tablesWithRows).toEqual(['visitors']);
  });

  it('is done in steps: the response and other requests do not wait for them, and the data is invisible at once', async () => {
    const { call, create, tablesWithRows } = await setup({ agent: { appearance: allRights } });
    for (let index = 0; index < 45; index += 1) await create([]);

    const [forgotten, list] = await Promise.all([
      call('POST', '/embed/forget_me'),
      setImmediate().then(() => call('GET', '/sessions')),
    ]);

    expect(await list.json()).toMatchObject({ data: [] });
    expect(await forgotten.json()).toMatchObject({ sessions: 45 });
    await expect.poll(tablesWithRows).toEqual([]);
  });

  it('handles other requests while it takes many conversations away, and keeps one that is created meanwhile', async () => {
    const { call, create, store } = await setup({ agent: { appearance: allRights } });
    await create([]);
    const row = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    for (let n = 0; n < 900; n += 1) {
      await store.db
        .insertInto('sessions')
        .values({ ...row, id: `ses_${n}` })
        .execute();
    }
    let isForgotten = false;

    const forgotten = call('POST', '/embed/forget_me').finally(() => {
      isForgotten = true;
    });
    const counts: number[] = [];
    while (!isForgotten) {
      const { count } = await store.db
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('external_user_id', '=', row.external_user_id)
        .executeTakeFirstOrThrow();
      if (Number(count) !== counts.at(-1)) counts.push(Number(count));
      if (counts.length === 2) await call('POST', '/sessions', { title: 'new' });
      await setImmediate();
    }

    expect(await (await forgotten).json()).toMatchObject({ sessions: 901 });
    expect(counts.length).toBeGreaterThan(3);
    const list = await call('GET', '/sessions');
    const { data } = (await list.json()) as { data: { title: string }[] };
    expect(new Set(data.map(({ title }) => title))).toEqual(new Set(['new']));
  });

  it('is completed within seconds after a step failed, and the data is invisible until then', async () => {
    const { call, create, file, attached, settled, tablesWithRows, store, clock, backend } =
      await setup({ agent: { appearance: allRights } });
    const fileId = await file('a');
    const id = await create([attached(fileId)]);
    await settled();
    await sql`create trigger interruption before delete on sessions begin
      select raise(abort, 'interrupted'); end`.execute(store.db);

    expect((await call('POST', '/embed/forget_me')).status).toBe(200);

    expect((await call('GET', `/sessions/${id}`)).status).toBe(404);
    expect((await call('GET', `/files/${fileId}`)).status).toBe(404);
    const terminated = await backend('POST', `/agent/v1/sessions/${id}/terminate`, {});
    expect(terminated.status).toBe(404);
    await sql`drop trigger interruption`.execute(store.db);
    await expect
      .poll(() => {
        clock.advance(1_000);
        return tablesWithRows();
      })
      .toEqual([]);
  });

  it('can be repeated', async () => {
    const { call } = await setup({ agent: { appearance: allRights } });

    await call('POST', '/embed/forget_me');
    expect(await (await call('POST', '/embed/forget_me')).json()).toMatchObject({
      external_user_id: 'ada',
      sessions: 0,
      files: 0,
    });
  });

  it('is rejected if `features.forget_me` is false', async () => {
    const { call } = await setup();

    const refused = await call('POST', '/embed/forget_me');

    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'EMBED_FEATURE_DISABLED' },
    ]);
  });

  it('ends the stream of an active run, and the run writes nothing afterwards', async () => {
    const { app, call, create, token, tablesWithRows, blobs, clock, store } = await setup({
      agent: {
        appearance: allRights,
        model: { ...model, script: [{ say: 'a' }, { wait_ms: 60_000 }, { say: 'b' }] },
      },
    });
    const http = await listen(app);
    const id = await create([message('x')]);
    const stream = await follow(
      `${http.url}/agent/v1/sessions/${id}/events/stream?event_deltas=agent.message`,
      token,
    );
    await stream.until(isType('event_delta'));

    await call('POST', '/embed/forget_me');
    await stream.toEnd();

    expect(stream.seen.at(-1)?.data.type).toBe('session.deleted');
    await expect.poll(tablesWithRows).toEqual([]);
    clock.advance(120_000);
    // The run of the next session shows that the deleted run has had time to continue.
    const next = await create([message('y')]);
    const texts = () => store.db.selectFrom('events').select(['session_id', 'json']).execute();
    await expect.poll(async () => (await texts()).length).toBeGreaterThan(1);
    expect((await texts()).filter(({ session_id }) => session_id !== next)).toEqual([]);
    expect(blobs()).toEqual([]);
  });

  it('leaves no file content without a database row, even if files are uploaded at the same time', async () => {
    const { call, upload, blobs, store } = await setup({ agent: { appearance: allRights } });
    const uploads = Array.from({ length: 12 }, (_, n) => upload(`file ${n}`));
    const before = uploads.slice(0, 4);
    await Promise.all(before);

    const [forgotten, ...late] = await Promise.all([
      call('POST', '/embed/forget_me'),
      ...uploads.slice(4),
    ]);

    expect(forgotten?.status).toBe(200);
    for (const { status } of late) expect([200, 409]).toContain(status);
    const forgottenFiles = () =>
      store.db.selectFrom('files').select('id').where('external_user_id', '=', '').execute();
    await expect.poll(forgottenFiles).toEqual([]);
    const files = await store.db.selectFrom('files').selectAll().execute();
    await expect.poll(blobs).toEqual(files.map(({ id }) => id).sort());
    expect(files.every(({ is_complete }) => is_complete === 1)).toBe(true);
  });

  it('leaves nothing of an upload that was in progress', async () => {
    const { call, upload, blobs, tablesWithRows, store } = await setup({
      agent: { appearance: allRights },
    });
    const pending = upload('x'.repeat(20_000_000));
    // The row is written before the content.
    await expect
      .poll(() => store.db.selectFrom('files').select('is_complete').execute(), { interval: 1 })
      .toHaveLength(1);

    await call('POST', '/embed/forget_me');
    const { status } = await pending;

    expect([200, 409]).toContain(status);
    await expect.poll(blobs).toEqual([]);
    await expect.poll(tablesWithRows).toEqual([]);
  });
});

describe('file content that a crash left behind', () => {
  it('is deleted within seconds if its deletion was scheduled, and otherwise after an hour', async () => {
    const { file, blobs, tablesWithRows, store, clock } = await setup();
    const [scheduled, abandoned] = [await file('a'), await file('b')];
    await store.db.deleteFrom('files').where('id', '=', scheduled).execute();
    const now = clock.now();
    await store.db
      .insertInto('blob_deletions')
      .values({ id: scheduled, status: 'queued', run_after: now, created_at: now })
      .execute();
    await store.db
      .updateTable('files')
      .set({ is_complete: 0 })
      .where('id', '=', abandoned)
      .execute();

    const start = clock.now();

    const afterTwoSeconds = () => {
      clock.advance(2_000);
      return blobs();
    };
    await expect.poll(afterTwoSeconds).toEqual([abandoned]);
    // Each sweep schedules the next one when it ends, so the clock advances in steps.
    const afterTenMinutes = () => {
      clock.advance(600_000);
      return blobs();
    };
    await expect.poll(afterTenMinutes).toEqual([]);

    expect(clock.now() - start).toBeGreaterThan(3_600_000);
    await expect.poll(tablesWithRows).toEqual([]);
  });
});
