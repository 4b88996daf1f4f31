import {
  AgentPage,
  AgentResource,
  AgentVersionList,
  AgentVersionResource,
  DeletedPublishableKey,
  type EmbedPolicyResource,
  PublishableKeyList,
  PublishableKeyResource,
  type ToolResource,
} from '@inlay/protocol';
import type { Call } from './call.ts';

/** What an agent may be told to change at run time; each member that is left out stays. */
export interface AgentPatch {
  name?: string;
  /** One line under the name. */
  description?: string | null;
  /** What the agent is told about itself. */
  instructions?: string;
  /** With `provider` it replaces the model; without, it changes it. */
  model?: Record<string, unknown>;
  /** All of them: `custom` ones whole, `function` ones of the configuration file by `name`. */
  tools?: readonly (Partial<ToolResource> & { type: string; name: string })[];
  modes?: readonly Record<string, unknown>[];
  /** Changes of the embed policy; null takes it away, and then no token can be issued. */
  embed?: Partial<EmbedPolicyResource> | null;
  /** The publishable keys that stand in the settings: all of them. */
  publishable_keys?: readonly Record<string, unknown>[];
  appearance?: Record<string, unknown>;
  hosted?: Record<string, unknown>;
  /**
   * Changes the latest version itself in place of making a new one: for repairs that conversations
   * under way have to get. Default false.
   */
  keep_version?: boolean;
}

/** An agent that the configuration file does not declare. */
export interface NewAgent extends Omit<AgentPatch, 'keep_version'> {
  /** Lower-case letters, digits and `-`. It stays taken when the agent is archived. */
  short_id: string;
  name: string;
  model: Record<string, unknown>;
}

export interface ListAgentsOptions {
  /** Default false. */
  includeArchived?: boolean;
  /** 1 to 100; default 20. */
  limit?: number;
  /** `next_page` of the page before. */
  page?: string;
}

/** What a publishable key allows; each member that is left out has the platform's default. */
export interface PublishableKeySettings {
  /** What the key is for, in your words. */
  name?: string;
  /** A subset of the policy's origins; all of them by default. */
  allowed_origins?: readonly string[];
  /** Sessions begun in a UTC day, by all visitors together. Default 1000. */
  sessions_per_day?: number;
  /** Cents spent in a UTC day, by all visitors together. Default 1000. */
  spend_cents_per_day?: number;
  /** Sessions begun in a UTC day by one visitor. Default: a twentieth of `sessions_per_day`, at least 5. */
  sessions_per_visitor_per_day?: number;
  /** Sessions begun in a UTC day from one source address. Default: a quarter of `sessions_per_day`, at least 10. */
  sessions_per_source_per_day?: number;
  /** Cents spent in a UTC day by one visitor. Default: a tenth of `spend_cents_per_day`, at least 20. */
  spend_cents_per_visitor_per_day?: number;
  /** Cents spent in a UTC day from one source address. Default: a quarter of `spend_cents_per_day`, at least 50. */
  spend_cents_per_source_per_day?: number;
  /** New visitors from one source address in an hour. Default 30. */
  new_visitors_per_hour?: number;
  /** Tokens that one returning visitor may get in an hour. Default 240. */
  refreshes_per_visitor_per_hour?: number;
  /** What one session of a visitor may spend, in cents. */
  budget_cents?: number;
}

const agentPath = (agentId: string) => `/agents/${encodeURIComponent(agentId)}`;

export function agentCalls(call: Call) {
  return {
    /** Newest first; those of the configuration file last. */
    list: ({ includeArchived, limit, page }: ListAgentsOptions = {}) =>
      call('GET', '/agents', AgentPage, {
        query: { include_archived: includeArchived ? 'true' : undefined, limit, page },
      }),

    /** By id or short id. */
    get: (agentId: string) => call('GET', agentPath(agentId), AgentResource),

    create: (agent: NewAgent) =>
      call('POST', '/agents', AgentResource, { body: agent, repeat: 'refused' }),

    /** Changes an agent at run time. It takes effect with the next request. */
    update: (agentId: string, patch: AgentPatch) =>
      call('POST', agentPath(agentId), AgentResource, { body: patch }),

    /** Revokes its tokens, and issues none until `restore`. */
    archive: (agentId: string) => call('POST', `${agentPath(agentId)}/archive`, AgentResource),

    restore: (agentId: string) => call('POST', `${agentPath(agentId)}/restore`, AgentResource),

    /** Every version, the latest last. */
    versions: (agentId: string) => call('GET', `${agentPath(agentId)}/versions`, AgentVersionList),

    version: (agentId: string, version: string) =>
      call(
        'GET',
        `${agentPath(agentId)}/versions/${encodeURIComponent(version)}`,
        AgentVersionResource,
      ),
  };
}

export function publishableKeyCalls(call: Call) {
  const path = (agentId: string, key: string) =>
    `${agentPath(agentId)}/publishable_keys/${encodeURIComponent(key)}`;

  return {
    list: (agentId: string) =>
      call('GET', `${agentPath(agentId)}/publishable_keys`, PublishableKeyList),

    create: (agentId: string, settings: PublishableKeySettings = {}) =>
      call('POST', `${agentPath(agentId)}/publishable_keys`, PublishableKeyResource, {
        body: settings,
        repeat: 'refused',
      }),

    /** What is left out stays. */
    update: (agentId: string, key: string, settings: PublishableKeySettings) =>
      call('POST', path(agentId, key), PublishableKeyResource, { body: settings }),

    /**
     * Makes a new key in place of this one, which goes on for `overlapSeconds` (a day by default) and
     * then ends with the tokens that it gave. Returns the new one.
     */
    rotate: (agentId: string, key: string, overlapSeconds?: number) =>
      call('POST', `${path(agentId, key)}/rotate`, PublishableKeyResource, {
        body: overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds },
        repeat: 'refused',
      }),

    /** Ends the tokens that it gave, and gives none until `enable`. */
    disable: (agentId: string, key: string) =>
      call('POST', `${path(agentId, key)}/disable`, PublishableKeyResource),

    enable: (agentId: string, key: string) =>
      call('POST', `${path(agentId, key)}/enable`, PublishableKeyResource),

    /** As `disable`, for good. A key of the agent's settings is taken out there. */
    delete: (agentId: string, key: string) =>
      call('DELETE', path(agentId, key), DeletedPublishableKey, { repeat: 'refused' }),
  };
}
