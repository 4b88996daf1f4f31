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

/** Milliseconds between two looks into the store, for changes whose message was lost. */
const pollInterval = 2_000;

/** Every agent, as it stands now. Reads are from memory; a change is written first, then told. */
export interface AgentRegistry {
  /** Those of the file first, then those of run time, oldest first; archived ones as well. */
  list(): readonly Agent[];
  /** By `agt_…` or by short id. */
  find(idOrShortId: string): Agent | null;
  /** Null for a key that is not known, and for one that may not be used now. */
  findPublishableKey(key: string): { agent: Agent; publishableKey: AgentKey } | null;
  /** Whether some agent has this publishable key, usable or not. */
  hasPublishableKey(key: string): boolean;
  /** Whether some policy or publishable key allows pages of this origin. */
  knowsOrigin(origin: string): boolean;
  /** What an agent would be by this record. Throws a zod error where it could not stand. */
  build(id: string, record: AgentRecord): Agent | null;
  /** Takes over what was written of an agent, and tells every process. */
  changed(id: string): Promise<Agent | null>;
  /** Calls back once a change has been taken over, whichever process made it. */
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

  for (const id of declared.keys()) take(id, emptyRecord);
  for (const [id, record] of await readAllAgentRecords(db)) take(id, record);
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
    async changed(id) {
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

  /** What was changed under an older configuration may not fit today's: then the file stands alone. */
  function take(id: string, record: AgentRecord): void {
    let agent: Agent | null = null;
    try {
      agent = build(id, record);
    } catch (error) {
      const known = { agent: id, ...describeError(error) };
      deps.log.warn('changes of an agent do not fit its configuration and were left out', known);
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

  /** Of two that overlap, the one that read less must not stand. */
  async function reload(id: string): Promise<void> {
    const record = await readAgentRecord(db, id);
    if (isClosed || !record.row || record.row.revision <= (revisions.get(id) ?? -1)) return;
    take(id, record);
    index();
    for (const listener of listeners) listener(id);
  }

  async function reloadQuietly(id: string): Promise<void> {
    await reload(id).catch((error: unknown) =>
      deps.log.error('agent could not be read again', { agent: id, ...describeError(error) }),
    );
  }

  function schedule(): () => void {
    return deps.clock.after(pollInterval, () => {
      void poll()
        .catch((error: unknown) =>
          deps.log.error('agents not compared with the store', describeError(error)),
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
