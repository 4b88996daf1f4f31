import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent.ts';
import type { Config } from '../config/config.ts';
import { matchesAny } from '../config/origin-pattern.ts';
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

/**
 * Milliseconds between two polls of the store, which find changes whose bus message was lost.
 */
const pollInterval = 2_000;

/**
 * The current agents. Reads come from memory; a change is written to the store first, then
 * published.
 */
export interface AgentRegistry {
  /**
   * Agents of the configuration file first, then those created at run time, oldest first; includes
   * archived agents.
   */
  list(): readonly Agent[];
  /** Finds an agent, which can be archived, by id (`agt_…`) or short id. */
  find(idOrShortId: string): Agent | null;
  /** Null for a key that is unknown, disabled or has ended, and for a key of an archived agent. */
  findPublishableKey(key: string): { agent: Agent; publishableKey: AgentKey } | null;
  /** Whether an agent has this publishable key, usable or not. */
  hasPublishableKey(key: string): boolean;
  /** Whether some policy or publishable key allows pages of this origin. */
  knowsOrigin(origin: string): boolean;
  /**
   * Builds an agent from a record, without storing it.
   *
   * @returns Null if neither the configuration file nor the record defines the agent.
   * @throws ZodError if the settings are invalid.
   */
  build(id: string, record: AgentRecord): Agent | null;
  /** Loads an agent from the store after a change, and publishes the change to all processes. */
  publishChange(id: string): Promise<Agent | null>;
  /**
   * Calls the listener after each loaded change, whichever process made it. Returns the unsubscribe
   * function.
   */
  onChange(listener: (agentId: string) => void): () => void;
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
  const declared = new Map<string, AgentConfig>(
    deps.config.agents.map((config) => [agentIdOf(config), config]),
  );
  const agents = new Map<string, Agent>();
  const byShortId = new Map<string, Agent>();
  const byKey = new Map<string, { agent: Agent; publishableKey: AgentKey }>();
  const revisions = new Map<string, number>();
  const listeners = new Set<(agentId: string) => void>();

  for (const id of declared.keys()) load(id, emptyRecord);
  for (const [id, record] of await readAllAgentRecords(db)) load(id, record);
  index();

  const unsubscribe = deps.bus.subscribe((message) => {
    if (message.kind === 'agent_changed') void reloadQuietly(message.agentId);
  });
  let isClosed = false;
  let cancelPoll = schedule();

  return {
    list: () => [...agents.values()],
    find: (name) => agents.get(name) ?? byShortId.get(name) ?? null,
    findPublishableKey(key) {
      const found = byKey.get(key);
      if (!found || found.agent.archivedAt !== null) return null;
      return isKeyUsable(found.publishableKey, deps.clock.now()) ? found : null;
    },
    hasPublishableKey: (key) => byKey.has(key),
    knowsOrigin: (origin) =>
      [...agents.values()].some(
        (agent) =>
          matchesAny(policyOf(agent).allowed_origins, origin) ||
          agent.keys.some((key) => matchesAny(key.allowed_origins ?? [], origin)),
      ),
    build,
    async publishChange(id) {
      await reload(id);
      await deps.bus.publish({ kind: 'agent_changed', agentId: id });
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
   * Builds an agent and puts it into the map. If its stored changes are invalid with the current
   * configuration file, it is built from the file alone; an agent that was created at run time is
   * then not loaded.
   */
  function load(id: string, record: AgentRecord): void {
    let agent: Agent | null = null;
    try {
      agent = build(id, record);
    } catch (error) {
      const known = { agent: id, ...describeError(error) };
      deps.log.warn('changes of an agent do not fit its configuration and were ignored', known);
      if (declared.has(id)) agent = build(id, emptyRecord);
    }
    if (record.row) revisions.set(id, record.row.revision);
    if (agent) agents.set(id, agent);
  }

  function index(): void {
    byShortId.clear();
    byKey.clear();
    for (const agent of agents.values()) {
      if (!byShortId.has(agent.short_id)) byShortId.set(agent.short_id, agent);
      for (const publishableKey of agent.keys) {
        if (!byKey.has(publishableKey.key))
          byKey.set(publishableKey.key, { agent, publishableKey });
      }
    }
  }

  /**
   * Loads an agent from the store. If two calls overlap, the record with the higher revision wins.
   */
  async function reload(id: string): Promise<void> {
    const record = await readAgentRecord(db, id);
    if (isClosed || !record.row || record.row.revision <= (revisions.get(id) ?? -1)) return;
    load(id, record);
    index();
    for (const listener of listeners) listener(id);
  }

  async function reloadQuietly(id: string): Promise<void> {
    await reload(id).catch((error: unknown) =>
      deps.log.error('agent could not be reloaded', { agent: id, ...describeError(error) }),
    );
  }

  function schedule(): () => void {
    return deps.clock.after(pollInterval, () => {
      void poll()
        .catch((error: unknown) =>
          deps.log.error('agents could not be compared with the store', describeError(error)),
        )
        .finally(() => {
          if (!isClosed) cancelPoll = schedule();
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
