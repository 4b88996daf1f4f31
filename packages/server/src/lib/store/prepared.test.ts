import { describe, expect, it } from 'vitest';
import { prepareBySize, prepareInsert } from './prepared.ts';
import { createSqliteStore } from './sqlite-store.ts';

describe('prepareInsert', () => {
  it('writes each row with its own values, however many there are', async () => {
    const { db, close } = await createSqliteStore({ data: 'memory' });
    const insert = prepareInsert(db, 'token_values', ['hash', 'issuance_id', 'source']);
    const row = (name: string) => ({ hash: name, issuance_id: `emb_${name}`, source: 'issue' });

    await insert(db, []);
    await insert(db, [row('a')]);
    await insert(db, [row('b'), row('c')]);
    await insert(db, [row('d'), row('e')]);

    const rows = await db.selectFrom('token_values').selectAll().orderBy('hash').execute();
    expect(rows).toEqual(['a', 'b', 'c', 'd', 'e'].map(row));
    await close();
  });
});

describe('prepareBySize', () => {
  it('builds a query once for each number of values', async () => {
    const { db, close } = await createSqliteStore({ data: 'memory' });
    const built: number[] = [];
    const queries = prepareBySize((size) => {
      built.push(size);
      return db.selectFrom('token_values').select('hash').where('hash', 'in', Array(size).fill(''));
    });

    for (const values of [['a'], ['b'], ['c', 'd']]) await queries.of(values.length)(db, values);

    expect(built).toEqual([1, 2]);
    await close();
  });
});
