import {
  AgentPage,
  AgentResource,
  AgentVersionList,
  AgentVersionResource,
  DeletedPublishableKey,
  EmbedPolicyCheck,
  type EmbedPolicyResource,
  PublishableKeyList,
  PublishableKeyResource,
  type ToolResource,
} from '@inlay/protocol';
import type { Call } from './call.ts';
import { rejectUnknown } from './reject-unknown.ts';

/** Settings of an agent that can be changed at run time. Omitted members keep their values. */
export interface AgentPatch {
  name?: string;
  /** One line under the name. */
  description?: string | null;
  /** Instructions for the model. */
  instructions?: string;
  /** With a `provider`, replaces all model settings; without, changes only the given settings. */
  model?: Record<string, unknown>;
  /**
   * Replaces the list of tools. A `custom` tool is given in full, a `function` tool of the configuration
   * file by its `name`.
   */
  tools?: readonly (Partial<ToolResource> & { type: string; name: string })[];
  modes?: readonly Record<string, unknown>[];
  /** Changes of the embed policy. Null removes the policy, so that no token can be issued. */
  embed?: Partial<EmbedPolicyResource> | null;
  /** Replaces the list of publishable keys in the agent's settings. */
  publishable_keys?: readonly Record<string, unknown>[];
  appearance?: Record<string, unknown>;
  /** How long data of this agent is stored: at most the platform's own periods, which null restores. */
  retention?: { sessions_days?: number | null };
  hosted?: Record<string, unknown>;
  /**
   * Changes the latest version instead of adding a new one, so that open conversations use the change.
   *
   * @default false
   */
  keep_version?: boolean;
}

/** Settings of a new agent, which the configuration file does not declare. */
export interface NewAgent extends Omit<AgentPatch, 'keep_version'> {
  /** Lower-case letters, digits and `-`. An archived agent keeps its id. */
  short_id: string;
  name: string;
  model: Record<string, unknown>;
}

export interface ListAgentsParams {
  /** @default false */
  include_archived?: boolean;
  /**
   * 1 to 100.
   *
   * @default 20
   */
  limit?: number;
  /** `next_page` of the previous page. */
  page?: string;
}

export interface RotateParams {
  /**
   * Seconds for which the old key stays valid, 0 or more.
   *
   * @default 86_400
   */
  overlap_seconds?: number;
}

/** Origins and quotas of a publishable key. A new key has the defaults for omitted members. */
export interface PublishableKeySettings {
  /** A description for your own use. */
  name?: string;
  /** A subset of the embed policy's origins. Default: all of its origins. */
  allowed_origins?: readonly string[];
  /** Maximum number of new sessions per UTC day, of all visitors together. Default 1000. */
  sessions_per_day?: number;
  /** Maximum spend per UTC day in cents, of all visitors together. Default 1000. */
  spend_cents_per_day?: number;
  /** Maximum number of new sessions per UTC day and visitor. Default: 5% of `sessions_per_day`, at least 5. */
  sessions_per_visitor_per_day?: number;
  /** Maximum number of new sessions per UTC day and source (IPv4 address or IPv6 /64). Default: 15% of `sessions_per_day`, at least 10. */
  sessions_per_source_per_day?: number;
  /** Maximum spend per UTC day and visitor in cents. Default: 10% of `spend_cents_per_day`, at least 20. */
  spend_cents_per_visitor_per_day?: number;
  /** Maximum spend per UTC day and source in cents. Default: 15% of `spend_cents_per_day`, at least 50. */
  spend_cents_per_source_per_day?: number;
  /** Maximum bytes of files uploaded per UTC day, of all visitors together. Default 1073741824. */
  file_bytes_per_day?: number;
  /** Maximum bytes of files uploaded per UTC day and source. Default: 15% of `file_bytes_per_day`, at least 26214400. */
  file_bytes_per_source_per_day?: number;
  /** Maximum bytes of files that visitors uploaded and have not sent. Default 536870912. */
  unsent_file_bytes?: number;
  /** Percent of each quota that is reserved for known visitors and new networks. Default 40, at most 90. */
  reserve_percent?: number;
  /** Maximum number of new visitors per hour and source address. Default 30. */
  new_visitors_per_hour?: number;
  /** Maximum number of tokens per hour for one returning visitor. Default 240. */
  refreshes_per_visitor_per_hour?: number;
  /** Budget of one session of a visitor, in cents. */
  budget_cents?: number;
}

/** Methods for agents. Changes at run time override the configuration file. */
export function agentCalls(call: Call) {
  return {
    /** Lists agents, newest first. Agents of the configuration file come last. */
    async list({ include_archived, limit, page, ...unknown }: ListAgentsParams = {}) {
      rejectUnknown('agents.list', unknown, 'include_archived, limit and page');
      const query = { include_archived: include_archived ? 'true' : undefined, limit, page };
      return call('GET', ['agents'], AgentPage, { query });
    },

    /** Returns an agent by its id or short id. */
    get: (agentId: string) => call('GET', ['agents', agentId], AgentResource),

    create: (agent: NewAgent) =>
      call('POST', ['agents'], AgentResource, { body: agent, retry: 'rejected' }),

    /** Changes an agent at run time. The change takes effect with the next request. */
    update: (agentId: string, patch: AgentPatch) =>
      call('POST', ['agents', agentId], AgentResource, { body: patch }),

    /**
     * Checks a change of the embed policy without storing it: the access that it would end, the live
     * tokens that it would refuse, and the origins that were refused in the last 24 hours.
     */
    checkEmbed: (agentId: string, embed: AgentPatch['embed']) =>
      call('POST', ['agents', agentId, 'embed', 'check'], EmbedPolicyCheck, { body: { embed } }),

    /** Archives an agent: revokes all its tokens. No token can be issued for it until `restore`. */
    archive: (agentId: string) => call('POST', ['agents', agentId, 'archive'], AgentResource),

    restore: (agentId: string) => call('POST', ['agents', agentId, 'restore'], AgentResource),

    /** Lists all versions, the latest last. */
    versions: (agentId: string) => call('GET', ['agents', agentId, 'versions'], AgentVersionList),

    version: (agentId: string, version: string) =>
      call('GET', ['agents', agentId, 'versions', version], AgentVersionResource),
  };
}

/** Methods for the publishable keys of an agent. */
export function publishableKeyCalls(call: Call) {
  return {
    list: (agentId: string) =>
      call('GET', ['agents', agentId, 'publishable_keys'], PublishableKeyList),

    create: (agentId: string, settings: PublishableKeySettings = {}) =>
      call('POST', ['agents', agentId, 'publishable_keys'], PublishableKeyResource, {
        body: settings,
        retry: 'rejected',
      }),

    /** Changes a key. Omitted settings keep their values. */
    update: (agentId: string, key: string, settings: PublishableKeySettings) =>
      call('POST', ['agents', agentId, 'publishable_keys', key], PublishableKeyResource, {
        body: settings,
      }),

    /**
     * Replaces a key. The old key and its tokens stay valid for `overlap_seconds`.
     *
     * @returns The new key.
     */
    rotate: (agentId: string, key: string, params: RotateParams = {}) =>
      call('POST', ['agents', agentId, 'publishable_keys', key, 'rotate'], PublishableKeyResource, {
        body: params,
        retry: 'rejected',
      }),

    /** Disables a key: revokes its tokens. No token can be issued with it until `enable`. */
    disable: (agentId: string, key: string) =>
      call('POST', ['agents', agentId, 'publishable_keys', key, 'disable'], PublishableKeyResource),

    enable: (agentId: string, key: string) =>
      call('POST', ['agents', agentId, 'publishable_keys', key, 'enable'], PublishableKeyResource),

    /** Deletes a key and revokes its tokens. To delete a key of the agent's settings, update the agent. */
    delete: (agentId: string, key: string) =>
      call('DELETE', ['agents', agentId, 'publishable_keys', key], DeletedPublishableKey, {
        retry: 'rejected',
      }),
  };
}
