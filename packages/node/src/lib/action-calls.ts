import {
  Action,
  ActionPage,
  ActionRevision,
  ActionRevisionPage,
  type CreateActionRequest,
  type UpdateActionRequest,
} from '@inlay/protocol';
import {
  type IdempotentOptions,
  type ListAutomationParams,
  listQuery,
  type PagedList,
  pagedList,
  type RequestOptions,
  readOptions,
} from './automation-options.ts';
import type { Call } from './call.ts';
import { type PageParams, pageQuery } from './page-query.ts';

/** Methods for actions (docs/conformance.md, 2.3 and 4.9). */
export function actionCalls(call: Call) {
  const prefix = '/automation/v1/actions';

  return {
    /**
     * Lists actions, newest first.
     *
     * @returns A page with `await`, or all actions with `for await`.
     * @throws PlatformError `INVALID_PARAMS`
     * @example
     * ```ts
     * for await (const action of automation.actions.list({ labels: { team: 'billing' } })) {
     *   console.log(`${action.namespace}/${action.name}`);
     * }
     * ```
     */
    list: (params: ListAutomationParams = {}, options: RequestOptions = {}): PagedList<Action> =>
      pagedList(async (page) =>
        call('GET', [], ActionPage, {
          prefix,
          query: listQuery('actions.list', params, page),
          ...readOptions('actions.list', options),
        }),
      ),

    /**
     * Creates an action with its first revision.
     *
     * @throws PlatformError `INVALID_PARAMS`, `NAME_TAKEN`, `NAMESPACE_FORBIDDEN`;
     *   `OPERATION_NOT_SUPPORTED` for an implementation other than `code`; `CONFLICT` if the
     *   idempotency key was used for another request.
     * @example
     * ```ts
     * await automation.actions.create({
     *   namespace: 'shop',
     *   name: 'refund',
     *   implementation: { kind: 'code', source: 'export default () => ({ refunded: true });' },
     * });
     * ```
     */
    create: async (action: CreateActionRequest, options: IdempotentOptions = {}): Promise<Action> =>
      call('POST', [], Action, {
        prefix,
        body: action,
        ...readOptions('actions.create', options, 'idempotencyKey'),
      }),

    /**
     * Reads an action with its current revision.
     *
     * @throws PlatformError `ACTION_NOT_FOUND`. If a script or workflow has this name, the message says
     *   which endpoint to use.
     */
    get: async (namespace: string, name: string, options: RequestOptions = {}): Promise<Action> =>
      call('GET', [namespace, name], Action, {
        prefix,
        ...readOptions('actions.get', options),
      }),

    /**
     * Changes an action. Omitted members keep their values. A change of the contract or the
     * implementation creates a new revision.
     *
     * @throws PlatformError `INVALID_PARAMS`, `ACTION_NOT_FOUND`, `NAMESPACE_FORBIDDEN`,
     *   `OPERATION_NOT_SUPPORTED`; `CONFLICT` if the action is archived.
     */
    update: async (
      namespace: string,
      name: string,
      changes: UpdateActionRequest,
      options: RequestOptions = {},
    ): Promise<Action> =>
      call('POST', [namespace, name], Action, {
        prefix,
        body: changes,
        ...readOptions('actions.update', options),
      }),

    /**
     * Lists the revisions of an action, newest first.
     *
     * @returns A page with `await`, or all revisions with `for await`.
     * @throws PlatformError `INVALID_PARAMS`, `ACTION_NOT_FOUND`
     */
    revisions: (
      namespace: string,
      name: string,
      params: PageParams = {},
      options: RequestOptions = {},
    ): PagedList<ActionRevision> =>
      pagedList(async (page) =>
        call('GET', [namespace, name, 'revisions'], ActionRevisionPage, {
          prefix,
          query: pageQuery('actions.revisions', params, page),
          ...readOptions('actions.revisions', options),
        }),
      ),

    /**
     * Reads a revision by its id.
     *
     * @throws PlatformError `ACTION_NOT_FOUND`; `NOT_FOUND` if the action has no such revision.
     */
    revision: async (
      namespace: string,
      name: string,
      revisionId: string,
      options: RequestOptions = {},
    ): Promise<ActionRevision> =>
      call('GET', [namespace, name, 'revisions', revisionId], ActionRevision, {
        prefix,
        ...readOptions('actions.revision', options),
      }),

    /**
     * Archives an action: it is not listed by default, and can't be changed. Its name stays
     * reserved. Idempotent.
     *
     * @throws PlatformError `ACTION_NOT_FOUND`, `NAMESPACE_FORBIDDEN`
     */
    archive: async (
      namespace: string,
      name: string,
      options: RequestOptions = {},
    ): Promise<Action> =>
      call('POST', [namespace, name, 'archive'], Action, {
        prefix,
        body: {},
        ...readOptions('actions.archive', options),
      }),

    /**
     * Restores an archived action with its current revision. Idempotent.
     *
     * @throws PlatformError `ACTION_NOT_FOUND`, `NAMESPACE_FORBIDDEN`
     */
    restore: async (
      namespace: string,
      name: string,
      options: RequestOptions = {},
    ): Promise<Action> =>
      call('POST', [namespace, name, 'restore'], Action, {
        prefix,
        body: {},
        ...readOptions('actions.restore', options),
      }),
  };
}
