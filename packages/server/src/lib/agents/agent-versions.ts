import type { Kysely } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { Agent } from './agent.ts';
import { toSettings } from './build-agent.ts';

/**
 * Name of the version that comes next at run time: `1.1`, `1.2` after the file's version 1, so that
 * the file's own names stay free; `1`, `2`, `3` of an agent that was made at run time.
 */
export function nextVersion(agent: Agent): string {
  const base = agent.declaredVersion === null ? '' : `${agent.declaredVersion}.`;
  const numbers = [...Object.keys(agent.previous_versions), agent.version]
    .filter((name) => name.startsWith(base))
    .map((name) => name.slice(base.length))
    .filter((rest) => /^\d{1,9}$/.test(rest))
    .map(Number);
  return base + String(Math.max(0, ...numbers) + 1);
}

/** Writes down what agents settle as their latest versions, for when these are so no longer. */
export async function noteVersions(
  db: Kysely<Schema>,
  agents: readonly Agent[],
  now: number,
): Promise<void> {
  await db
    .insertInto('agent_versions')
    .values(
      agents.map((agent) => ({
        agent_id: agent.id,
        version: agent.version,
        settings: toSettings(agent),
        created_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'version'])
        .doUpdateSet(({ ref }) => ({ settings: ref('excluded.settings') })),
    )
    .execute();
}
