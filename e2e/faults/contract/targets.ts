import { createScriptedPlatform, type ScriptedPlatform } from '@inlay/client/testing';
import { startPlatform } from '../../start-platform.ts';
import { type AgentName, agents, features, modes, serverScript, tools } from './agents.ts';

/** A token that was issued to the host's backend. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** An agent on one of the platforms, and the operations that the contract tests need. */
export interface Target {
  readonly fetch: typeof globalThis.fetch;
  readonly baseUrl: string;
  issue(
    user: string,
    options?: { ttlSeconds?: number; budgetCents?: number },
  ): Promise<IssuedToken>;
  /** Creates a hosted link, and returns its code. */
  code(user: string): Promise<string>;
  revoke(id: string): Promise<void>;
  expire(id: string): Promise<void>;
  revokeAll(user: string): Promise<void>;
  block(user: string): Promise<void>;
  unblock(user: string): Promise<void>;
}

/** Origin that the agents allow. */
export const pageOrigin = 'https://app.example.com';

export interface Platforms {
  readonly name: string;
  /** Returns the agent, on a new platform or on a shared one. */
  target(agent: AgentName): Promise<Target>;
  close(): Promise<void>;
}

/** Creates a scripted platform for each target. */
export function scriptedPlatforms(): Platforms {
  return {
    name: 'the scripted platform',
    target: async (agent) => {
      const config = { features: { ...features, visitor_claim: true }, modes };
      const options = { allowedOrigins: [pageOrigin], publishableKeys: [`pk_${agent}`], config };
      return scriptedTarget(createScriptedPlatform({ ...options, answer: agents[agent] }));
    },
    close: async () => {},
  };
}

function scriptedTarget(platform: ScriptedPlatform): Target {
  return {
    fetch: platform.fetch,
    baseUrl: platform.baseUrl,
    issue: async (user, options) => platform.issue(user, options),
    code: async (user) => platform.hostedUrl(user).split('#c=')[1] ?? '',
    revoke: async (id) => platform.revoke(id),
    expire: async (id) => platform.expire(id),
    revokeAll: async (user) => platform.revokeAll(user),
    block: async (user) => platform.block(user),
    unblock: async (user) => platform.unblock(user),
  };
}

const apiKey = 'sk-service-contract-tests-of-the-platform';

/** Starts the real server with all agents of the contract. */
export async function realPlatforms(): Promise<Platforms> {
  const unlimited = { requests_per_second: 10_000, concurrent: 1000 };
  const server = await startPlatform(
    {
      limits: { api_key: unlimited, source: unlimited },
      agents: Object.entries(agents).map(([short_id, steps]) => ({
        short_id,
        name: short_id,
        model: {
          provider: 'scripted' as const,
          script: serverScript(steps),
          delay_ms: 0,
          first_delay_ms: 0,
        },
        tools,
        modes,
        appearance: { features, cards: true, suggestions: true },
        publishable_keys: [{ key: `pk_${short_id}` }],
        embed: { allowed_origins: [pageOrigin], allow_visitor_claim: true, limits: unlimited },
      })),
    },
    { apiKey },
  );
  return {
    name: 'the real server',
    target: async (agent) => realTarget(server.baseUrl, agent),
    close: () => server.stop('immediate'),
  };
}

function realTarget(baseUrl: string, agent: AgentName): Target {
  const backend = async (path: string, body: object = {}) => {
    const response = await fetch(`${baseUrl}/agent/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(String(answer.code));
    return answer;
  };
  const endUser = (user: string, action: string) =>
    backend(`/agents/${agent}/end_users/${user}/${action}`);
  const issue: Target['issue'] = async (user, { ttlSeconds, budgetCents } = {}) => {
    const issued = await backend('/embed_tokens', {
      agent,
      external_user_id: user,
      ...(ttlSeconds !== undefined && { ttl_seconds: ttlSeconds }),
      ...(budgetCents !== undefined && { budget_cents: budgetCents }),
    });
    return { id: String(issued.id), token: String(issued.token) };
  };
  return {
    fetch,
    baseUrl,
    issue,
    code: async (user) => {
      const body = { agent, external_user_id: user, hosted: true };
      const { hosted_url } = await backend('/embed_tokens', body);
      return String(hosted_url).split('#c=')[1] ?? '';
    },
    revoke: async (id) => void (await backend(`/embed_tokens/${id}/revoke`)),
    expire: async (id) => void (await backend(`/embed_tokens/${id}/expire`)),
    revokeAll: async (user) => void (await endUser(user, 'revoke_tokens')),
    block: async (user) => void (await endUser(user, 'block')),
    unblock: async (user) => void (await endUser(user, 'unblock')),
  };
}
