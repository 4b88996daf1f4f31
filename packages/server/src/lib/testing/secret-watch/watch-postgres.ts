import pg from 'pg';
import { contentTable, watchWritten } from './secret-watch.ts';

/**
 * Records all rows of all tables of a database that other processes wrote, except the content of
 * uploaded files.
 */
export async function watchPostgres(url: string): Promise<void> {
  if (!process.env.INLAY_SECRET_WATCH) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of rows) {
      if (name === contentTable) continue;
      const { rows: all } = await client.query(`select t::text as text from "${name}" t`);
      watchWritten(`the table ${name}`, all.map(({ text }) => text).join('\n'));
    }
  } finally {
    await client.end();
  }
}
