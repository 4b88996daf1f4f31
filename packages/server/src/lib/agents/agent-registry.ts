import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent.ts';
import type { Config } from '../config/config.ts';
import { matchingPatterns, type OriginPattern } from '../config/origin-pattern.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { Store } from '../store/store.ts';
import { type Agent, type AgentKey, agentIdOf, isKeyUsable, policyOf } from './agent.ts';
import {
  type AgentRecord,
  emptyRecord,
  readAgentRecord,
  readAllAgentRecords,
} from './agent-record.ts';
import { buildAgent } from './build-agent.ts';

/** Milliseconds between two polls of the store, which find changes whose bus message was lost. */
const pollInterval = 2_000;

/**
 * All agents, cached in memory. A change is first written to the store, and then published on the
 * bus.
 */
export interface AgentRegistry {
  /**
   * Returns all agents, including archived ones: first the agents of the configuration file, then
   * the agents created at run time, oldest first.
   */
  list(): readonly Agent[];
  /** Finds an agent, including archived ones, by id (`agt_…`) or short id. */
  find(idOrShortId: string): Agent | null;
  /**
   * Finds a usable publishable key. Returns null for a key that is unknown, disabled or has ended,
   * and for a key of an archived agent.
   */
  findPublishableKey(key: string): { agent: Agent; publishableKey: AgentKey } | null;
  /** Whether any embed policy or publishable key allows pages of this origin. */
  knowsOrigin(origin: string): boolean;
  /**
   * Builds an agent from a record without storing the agent.
   *
   * @returns Null if neither the configuration file nor the record defines the agent.
   * @throws ZodError if the settings are invalid.
   */
  build(id: string, record: AgentRecord): Agent | null;
  /** Loads an agent from the store after a change, and publishes the change to all processes. */
  publishChange(id: string): Promise<Agent | null>;
  /**
   * Calls the listener after each loaded change, of this or another process.
   *
   * @returns The unsubscribe function.
   */
  onChange(listener: (agentId: string) => void): () => void;
  close(): void;
}

interface RegistryServices {
  config: Config;
  store: Store;
  bus: Bus;
  clock: Clock;
  log: Logger;
}

export async function createAgentRegistry(services: RegistryServices): Promise<AgentRegistry> {
  const { db } = services.store;
  const declared = new Map<string, AgentConfig>(
    services.config.agents.map((config) => [agentIdOf(config), config]),
  );
  const agents = new Map<string, Agent>();
  const byShortId = new Map<string, Agent>();
  const byKey = new Map<string, { agent: Agent; publishableKey: AgentKey }>();
  /** The allowed origins of all policies and publishable keys. */
  const patterns = new Set<OriginPattern>();
  const revisions = new Map<string, number>();
  const listeners = new Set<(agentId: string) => void>();

  for (const id of declared.keys()) load(id, emptyRecord);
  for (const [id, record] of await readAllAgentRecords(db)) load(id, record);
  rebuildIndexes();

  const unsubscribe = services.bus.subscribe((message) => {
    if (message.kind === 'agent_changed') void reloadQuietly(message.agentId);
  });
  let isClosed = false;
  let cancelPoll = schedulePoll();

  return {
    list: () => [...agents.values()],
    find: (name) => agents.get(name) ?? byShortId.get(name) ?? null,
    findPublishableKey(key) {
      const found = byKey.get(key);
      if (!found || found.agent.archivedAt !== null) return null;
      return isKeyUsable(found.publishableKey, services.clock.now()) ? found : null;
    },
    knowsOrigin: (origin) => matchingPatterns(origin).some((pattern) => patterns.has(pattern)),
    build,
    async publishChange(id) {
      await reload(id);
      await services.bus.publish({ kind: 'agent_changed', agentId: id });
      return agents.get(id) ?? null;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      unsubscribe();
      cancelPoll();
    },
  };

  function build(id: string, record: AgentRecord): Agent | null {
    return buildAgent(id, declared.get(id), record);
  }

  /**
   * Builds an agent and adds it to the map. If the stored changes are invalid with the current
   * configuration file, the agent is built from the file alone, or ignored if it was created at run
   * time.
   */
  function load(id: string, record: AgentRecord): void {
    let agent: Agent | null = null;
    try {
      agent = build(id, record);
    } catch (error) {
      const details = { agent: id, ...describeError(error) };
      services.log.warn(
        'changes of an agent do not fit its configuration and were ignored',
        details,
      );
      if (declared.has(id)) agent = build(id, emptyRecord);
    }
    if (record.row) revisions.set(id, record.row.revision);
    if (agent) agents.set(id, agent);
  }

  function rebuildIndexes(): void {
    byShortId.clear();
    byKey.clear();
    patterns.clear();
    for (const agent of agents.values()) {
      for (const pattern of policyOf(agent).allowed_origins) patterns.add(pattern);
      if (!byShortId.has(agent.short_id)) byShortId.set(agent.short_id, agent);
      for (const publishableKey of agent.keys) {
        for (const pattern of publishableKey.allowed_origins ?? []) patterns.add(pattern);
        if (!byKey.has(publishableKey.key))
          byKey.set(publishableKey.key, { agent, publishableKey });
      }
    }
  }

  /** Loads an agent from the store, unless the loaded revision is as high or higher. */
  async function reload(id: string): Promise<void> {
    const record = await readAgentRecord(db, id);
    if (isClosed || !record.row || record.row.revision <= (revisions.get(id) ?? -1)) return;
    load(id, record);
    rebuildIndexes();
    for (const listener of listeners) listener(id);
  }

  async function reloadQuietly(id: string): Promise<void> {
    await reload(id).catch((error: unknown) =>
      services.log.error('agent could not be reloaded', { agent: id, ...describeError(error) }),
    );
  }

  function schedulePoll(): () => void {
    return services.clock.after(pollInterval, () => {
      void poll()
        .catch((error: unknown) =>
          services.log.error('agents could not be compared with the store', describeError(error)),
        )
        .finally(() => {
          if (!isClosed) cancelPoll = schedulePoll();
        });
    });
  }

  async function poll(): Promise<void> {
    const rows = await db.selectFrom('agents').select(['id', 'revision']).execute();
    for (const { id, revision } of rows) {
      if (revision !== revisions.get(id)) await reloadQuietly(id);
    }
  }
}
