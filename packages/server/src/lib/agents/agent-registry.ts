import type { Bus } from '../bus/bus.ts';
import { AgentConfig, type PublishableKey } from '../config/agent.ts';
import type { Config } from '../config/config.ts';
import { matchesAny } from '../config/origin-pattern.ts';
import { explain } from '../http/validate.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../store/store.ts';
import { type Agent, agentIdOf } from './agent.ts';
import { mergeOverrides, type Overrides } from './merge-overrides.ts';

/** Every agent, as it stands now. Reads are from memory; a change is written first, then told. */
export interface AgentRegistry {
  list(): readonly Agent[];
  /** By `agt_…` or by short id. */
  find(idOrShortId: string): Agent | null;
  findPublishableKey(key: string): { agent: Agent; publishableKey: PublishableKey } | null;
  /** Whether some policy or publishable key allows pages of this origin. */
  knowsOrigin(origin: string): boolean;
  /**
   * Lays `changes` over an agent for good, and at once.
   * Throws a zod error where the outcome could not stand; nothing is changed then.
   */
  update(agent: Agent, changes: Overrides): Promise<Agent>;
  close(): void;
}

interface RegistryDeps {
  config: Config;
  store: Store;
  bus: Bus;
  clock: Clock;
  log: Logger;
}

export async function createAgentRegistry(deps: RegistryDeps): Promise<AgentRegistry> {
  const { db } = deps.store;
  const configured = new Map(deps.config.agents.map((config) => [agentIdOf(config), config]));
  const agents = new Map<string, Agent>();

  for (const [id, config] of configured) agents.set(id, { ...config, id });
  for (const row of await db.selectFrom('agents').selectAll().execute()) take(row);

  const unsubscribe = deps.bus.subscribe((message) => {
    if (message.kind === 'agent_changed') void reload(message.agentId);
  });

  return {
    list: () => [...agents.values()],
    find: (name) =>
      agents.get(name) ?? [...agents.values()].find(({ short_id }) => short_id === name) ?? null,
    findPublishableKey(key) {
      for (const agent of agents.values()) {
        const publishableKey = agent.publishable_keys.find((candidate) => candidate.key === key);
        if (publishableKey) return { agent, publishableKey };
      }
      return null;
    },
    knowsOrigin: (origin) =>
      [...agents.values()].some(
        ({ embed, publishable_keys }) =>
          matchesAny(embed.allowed_origins, origin) ||
          publishable_keys.some((key) => matchesAny(key.allowed_origins ?? [], origin)),
      ),
    async update(agent, changes) {
      // Read and written in one transaction, so that of two changes at once none is lost.
      const row = await db.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom('agents')
          .select('overrides')
          .where('id', '=', agent.id)
          .executeTakeFirst();
        const overrides = mergeOverrides(before ? JSON.parse(before.overrides) : {}, changes);
        build(agent.id, overrides);
        const change = { overrides: JSON.stringify(overrides), updated_at: deps.clock.now() };
        await transaction
          .insertInto('agents')
          .values({ id: agent.id, ...change })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
          .execute();
        return { id: agent.id, ...change };
      });
      take(row);
      await deps.bus.publish({ kind: 'agent_changed', agentId: agent.id });
      return agents.get(agent.id) ?? agent;
    },
    close: unsubscribe,
  };

  async function reload(id: string): Promise<void> {
    try {
      const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
      if (row) take(row);
    } catch (error) {
      deps.log.error('agent could not be read again', { agent: id, ...describeError(error) });
    }
  }

  /** What an older configuration allowed may not fit today's: then the configuration stands. */
  function take(row: { id: string; overrides: string }): void {
    try {
      const agent = build(row.id, JSON.parse(row.overrides));
      if (agent) agents.set(row.id, agent);
    } catch (error) {
      deps.log.warn('changes of an agent do not fit its configuration and were left out', {
        agent: row.id,
        ...describeError(error),
      });
    }
  }

  function build(id: string, overrides: Overrides): Agent | null {
    const config = configured.get(id);
    if (!config) return null;
    return { ...AgentConfig.parse(mergeOverrides(config, overrides), { error: explain }), id };
  }
}
