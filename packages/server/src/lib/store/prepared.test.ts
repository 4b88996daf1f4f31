import { describe, expect, it } from 'vitest';
import { prepare, prepareBySize, prepareInsert } from './prepared.ts';
import { createSqliteStore } from './sqlite-store.ts';

describe('prepareInsert', () => {
  it('inserts any number of rows with their values', async () => {
    const { db, close } = await createSqliteStore({ data: 'memory' });
    const insert = prepareInsert('token_values', ['hash', 'issuance_id', 'source']);
    const rows = Array.from({ length: 150 }, (_, number) => ({
      hash: String(1000 + number),
      issuance_id: `emb_${number}`,
      source: 'issue',
    }));

    await insert(db, []);
    await insert(db, rows.slice(0, 1));
    await insert(db, rows.slice(1, 7));
    await insert(db, rows.slice(7));

    const stored = await db.selectFrom('token_values').selectAll().orderBy('hash').execute();
    expect(stored).toEqual(rows);
    await close();
  });
});

describe('prepare', () => {
  it('builds a query once, and runs it with the values of each call, in transactions too', async () => {
    const { db, transaction, close } = await createSqliteStore({ data: 'memory' });
    let buildCount = 0;
    const find = prepare((on) => {
      buildCount += 1;
      return on.selectFrom('token_values').select('source').where('hash', '=', '');
    });
    const values = { issuance_id: 'emb_1', source: 'exchange' as const };
    await transaction(async (on) => {
      await on
        .insertInto('token_values')
        .values({ hash: 'a', ...values })
        .execute();
      expect(await find(on, 'a')).toEqual([{ source: 'exchange' }]);
    });

    expect(await find(db, 'a')).toEqual([{ source: 'exchange' }]);
    expect(await find(db, 'b')).toEqual([]);
    expect(buildCount).toBe(1);
    await expect(find(db)).rejects.toThrow(RangeError);
    await close();
  });
});

describe('prepareBySize', () => {
  it('builds one query for each batch size, and finds any number of items', async () => {
    const { db, close } = await createSqliteStore({ data: 'memory' });
    const builtSizes: number[] = [];
    const find = prepareBySize(
      (size) => {
        builtSizes.push(size);
        return db
          .selectFrom('token_values')
          .select('hash')
          .where('hash', 'in', Array<string>(size).fill(''));
      },
      (hashes: readonly string[]) => hashes,
    );
    const hashes = Array.from({ length: 90 }, (_, number) => String(1000 + number));
    const insert = prepareInsert('token_values', ['hash', 'issuance_id', 'source']);
    await insert(
      db,
      hashes.map((hash) => ({ hash, issuance_id: 'emb_1', source: 'issue' })),
    );

    const rows = await find(db, hashes);
    const again = await find(db, hashes.slice(0, 5));

    expect(rows.map(({ hash }) => hash).toSorted()).toEqual(hashes);
    expect(again).toHaveLength(5);
    expect(builtSizes).toEqual([64, 16, 8, 2, 4, 1]);
    await close();
  });
});
