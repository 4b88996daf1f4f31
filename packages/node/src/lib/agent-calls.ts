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

/** Settings of an agent that can be changed at run time. Omitted members stay as they are. */
export interface AgentPatch {
  name?: string;
  /** One line under the name. */
  description?: string | null;
  /** Instructions for the model. */
  instructions?: string;
  /** With `provider` it replaces the model settings; without, it changes some of them. */
  model?: Record<string, unknown>;
  /** All tools: `custom` ones in full, `function` ones of the configuration file by `name`. */
  tools?: readonly (Partial<ToolResource> & { type: string; name: string })[];
  modes?: readonly Record<string, unknown>[];
  /** Changes of the embed policy. Null removes it, and then no token can be issued. */
  embed?: Partial<EmbedPolicyResource> | null;
  /** All publishable keys of the settings. */
  publishable_keys?: readonly Record<string, unknown>[];
  appearance?: Record<string, unknown>;
  hosted?: Record<string, unknown>;
  /**
   * Changes the latest version instead of making a new one: for repairs that open conversations need.
   *
   * @default false
   */
  keep_version?: boolean;
}

/** An agent that the configuration file does not declare. */
export interface NewAgent extends Omit<AgentPatch, 'keep_version'> {
  /** Lower-case letters, digits and `-`. An archived agent keeps its id. */
  short_id: string;
  name: string;
  model: Record<string, unknown>;
}

export interface ListAgentsOptions {
  /** @default false */
  includeArchived?: boolean;
  /**
   * 1 to 100.
   *
   * @default 20
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

/** Origins and quotas of a publishable key. Omitted members have the platform's defaults. */
export interface PublishableKeySettings {
  /** A description for your own use. */
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
  /** Budget of one session of a visitor, in cents. */
  budget_cents?: number;
}

const agentPath = (agentId: string) => `/agents/${encodeURIComponent(agentId)}`;

export function agentCalls(call: Call) {
  return {
    /** Lists agents, newest first; those of the configuration file come last. */
    list: ({ includeArchived, limit, page }: ListAgentsOptions = {}) =>
      call('GET', '/agents', AgentPage, {
        query: { include_archived: includeArchived ? 'true' : undefined, limit, page },
      }),

    /** Returns an agent by its id or short id. */
    get: (agentId: string) => call('GET', agentPath(agentId), AgentResource),

    create: (agent: NewAgent) =>
      call('POST', '/agents', AgentResource, { body: agent, repeat: 'refused' }),

    /** Changes an agent at run time. It takes effect with the next request. */
    update: (agentId: string, patch: AgentPatch) =>
      call('POST', agentPath(agentId), AgentResource, { body: patch }),

    /** Revokes all tokens of an agent, and issues none until `restore`. */
    archive: (agentId: string) => call('POST', `${agentPath(agentId)}/archive`, AgentResource),

    restore: (agentId: string) => call('POST', `${agentPath(agentId)}/restore`, AgentResource),

    /** Lists all versions, the latest last. */
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

    /** Changes a key. Omitted members stay as they are. */
    update: (agentId: string, key: string, settings: PublishableKeySettings) =>
      call('POST', path(agentId, key), PublishableKeyResource, { body: settings }),

    /**
     * Replaces a key. The old key stays valid for `overlapSeconds` (a day by default), and then ends
     * together with its tokens.
     *
     * @returns The new key.
     */
    rotate: (agentId: string, key: string, overlapSeconds?: number) =>
      call('POST', `${path(agentId, key)}/rotate`, PublishableKeyResource, {
        body: overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds },
        repeat: 'refused',
      }),

    /** Revokes the tokens of a key, and issues none until `enable`. */
    disable: (agentId: string, key: string) =>
      call('POST', `${path(agentId, key)}/disable`, PublishableKeyResource),

    enable: (agentId: string, key: string) =>
      call('POST', `${path(agentId, key)}/enable`, PublishableKeyResource),

    /** Deletes a key and revokes its tokens. A key of the agent's settings is removed there instead. */
    delete: (agentId: string, key: string) =>
      call('DELETE', path(agentId, key), DeletedPublishableKey, { repeat: 'refused' }),
  };
}
