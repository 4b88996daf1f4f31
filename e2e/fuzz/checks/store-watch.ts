import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';

/** Watches the store of a running platform from outside. */
export interface StoreWatch {
  /** Another number after each commit of the platform. */
  version(): number;
  /** Resolves when nothing has been written for a little while. */
  quiet(): Promise<void>;
  /** A digest of each table's rows, by the table's name. */
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
      for (let known = version(), still = 0; still < 3; ) {
        await sleep(30);
        const now = version();
        still = now === known ? still + 1 : 0;
        known = now;
      }
    },
    contents() {
      const tables = database
        .prepare("select name from sqlite_master where type = 'table' order by name")
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

/** Tables that differ between two contents. */
export function changedTables(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...after].flatMap(([name, digest]) => (before.get(name) === digest ? [] : [name]));
}
