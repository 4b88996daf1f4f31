import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';

/** Detects changes of the SQLite store of a running platform. */
export interface StoreWatch {
  /** A number that changes with each commit of the platform. */
  version(): number;
  /** Resolves when there have been no commits for a short time. */
  quiet(): Promise<void>;
  /**
   * Hash of the rows of each table, by table name, except for the table that counts refused requests some
   * seconds later.
   */
  contents(): ReadonlyMap<string, string>;
  close(): void;
}

export function watchStore(file: string): StoreWatch {
  const database = new Database(file, { readonly: true });
  const readVersion = database.prepare('pragma data_version');
  const version = () => (readVersion.get() as { data_version: number }).data_version;
  return {
    version,
    async quiet() {
      for (let previous = version(), still = 0; still < 3; ) {
        await sleep(30);
        const now = version();
        still = now === previous ? still + 1 : 0;
        previous = now;
      }
    },
    contents() {
      const tables = database
        .prepare(
          "select name from sqlite_master where type = 'table' and name <> 'refused_origins' order by name",
        )
        .all() as { name: string }[];
      return new Map(
        tables.map(({ name }) => {
          const rows = database.prepare(`select * from "${name}"`).raw().all();
          return [name, createHash('sha256').update(JSON.stringify(rows)).digest('hex')];
        }),
      );
    },
    close: () => void database.close(),
  };
}

/** Names of the tables that differ. */
export function changedTables(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...after].flatMap(([name, digest]) => (before.get(name) === digest ? [] : [name]));
}
