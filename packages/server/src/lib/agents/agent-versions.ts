import type { Kysely } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { Agent } from './agent.ts';
import { serializeVersion } from './build-agent.ts';

/**
 * Returns the name of the next version. The versions after version `1` of the configuration file
 * are `1.1`, `1.2` and so on, so that the file can use `2`. The versions of an agent that was created
 * at run time are `1`, `2`, `3`.
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

/**
 * Stores the latest version of each agent, so that the version remains available after a newer one
 * replaces it.
 */
export async function saveVersions(
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
        settings: serializeVersion(agent),
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
