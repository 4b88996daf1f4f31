import {
  type CreateOrchestrationRequest,
  Orchestration,
  OrchestrationDraft,
  OrchestrationPage,
  OrchestrationVersion,
  OrchestrationVersionPage,
  type OrchestrationVersionSummary,
  type PublishVersionRequest,
  type SetDistTagRequest,
  type UpdateOrchestrationRequest,
} from '@inlay/protocol';
import {
  type ConditionalOptions,
  type IdempotentOptions,
  type ListAutomationParams,
  listQuery,
  type PagedList,
  type PublishOptions,
  pagedList,
  type RequestOptions,
  readOptions,
} from './automation-options.ts';
import type { Call } from './call.ts';
import { type PageParams, pageQuery } from './page-query.ts';

/**
 * Methods for scripts or for workflows, which differ only in their path
 * (docs/conformance.md, 2.4 and 4.9).
 */
export function orchestrationCalls(call: Call, kind: 'scripts' | 'workflows') {
  const prefix = `/automation/v1/${kind}`;

  return {
    /**
     * Lists scripts or workflows, newest first.
     *
     * @returns A page with `await`, or all items with `for await`.
     * @throws PlatformError `INVALID_PARAMS`
     */
    list: (
      params: ListAutomationParams = {},
      options: RequestOptions = {},
    ): PagedList<Orchestration> =>
      pagedList(async (page) =>
        call('GET', [], OrchestrationPage, {
          prefix,
          query: listQuery(`${kind}.list`, params, page),
          ...readOptions(`${kind}.list`, options),
        }),
      ),

    /**
     * Creates a script or workflow with its draft. It has no version until `publish`.
     *
     * @throws PlatformError `INVALID_PARAMS`, `NAMESPACE_FORBIDDEN`; `NAME_TAKEN` if a script or
     *   workflow has the name; `CONFLICT` if the idempotency key was used for another request.
     * @example
     * ```ts
     * await automation.scripts.create({
     *   namespace: 'shop',
     *   name: 'nightly-report',
     *   source: 'export default async () => {};',
     * });
     * ```
     */
    create: async (
      orchestration: CreateOrchestrationRequest,
      options: IdempotentOptions = {},
    ): Promise<Orchestration> =>
      call('POST', [], Orchestration, {
        prefix,
        body: orchestration,
        ...readOptions(`${kind}.create`, options, 'idempotencyKey'),
      }),

    /**
     * Reads a script or workflow, without its source.
     *
     * @throws PlatformError `TARGET_NOT_FOUND`, also if the name belongs to the other kind.
     */
    get: async (
      namespace: string,
      name: string,
      options: RequestOptions = {},
    ): Promise<Orchestration> =>
      call('GET', [namespace, name], Orchestration, {
        prefix,
        ...readOptions(`${kind}.get`, options),
      }),

    /**
     * Changes the description and the labels. Omitted members keep their values.
     *
     * @throws PlatformError `INVALID_PARAMS`, `TARGET_NOT_FOUND`, `NAMESPACE_FORBIDDEN`,
     *   `PRECONDITION_FAILED`; `CONFLICT` if the script or workflow is archived.
     */
    update: async (
      namespace: string,
      name: string,
      changes: Omit<UpdateOrchestrationRequest, 'source'>,
      options: ConditionalOptions = {},
    ): Promise<Orchestration> =>
      call('POST', [namespace, name], Orchestration, {
        prefix,
        body: changes,
        ...readOptions(`${kind}.update`, options, 'ifMatch'),
      }),

    /**
     * Reads the draft: the source that the next version will have.
     *
     * @returns The source, and its digest for `ifMatch`.
     * @throws PlatformError `TARGET_NOT_FOUND`
     */
    draft: async (
      namespace: string,
      name: string,
      options: RequestOptions = {},
    ): Promise<OrchestrationDraft> =>
      call('GET', [namespace, name, 'draft'], OrchestrationDraft, {
        prefix,
        ...readOptions(`${kind}.draft`, options),
      }),

    /**
     * Replaces the draft, but no version. With `ifMatch`, the call is not retried after a network
     * failure, because a retry would fail if the platform has already made the change.
     *
     * @throws PlatformError `INVALID_PARAMS`, `TARGET_NOT_FOUND`, `NAMESPACE_FORBIDDEN`;
     *   `PRECONDITION_FAILED` if the draft does not have the digest `ifMatch`; `CONFLICT` if the script or
     *   workflow is archived.
     * @example
     * ```ts
     * const { source, digest } = await automation.scripts.draft('shop', 'nightly-report');
     * await automation.scripts.updateDraft(
     *   'shop',
     *   'nightly-report',
     *   { source: source.replace('daily', 'nightly') },
     *   { ifMatch: digest },
     * );
     * ```
     */
    updateDraft: async (
      namespace: string,
      name: string,
      draft: { source: string },
      options: ConditionalOptions = {},
    ): Promise<Orchestration> =>
      call('POST', [namespace, name], Orchestration, {
        prefix,
        body: draft,
        retry: options.ifMatch === undefined ? 'idempotent' : 'rejected',
        ...readOptions(`${kind}.updateDraft`, options, 'ifMatch'),
      }),

    /**
     * Publishes the draft as an immutable version, and sets the tag `latest` to that version.
     *
     * @param version The version number must be greater than the latest one (semantic versioning).
     * @throws PlatformError `INVALID_PARAMS`, `TARGET_NOT_FOUND`, `NAMESPACE_FORBIDDEN`,
     *   `PRECONDITION_FAILED`; `CONFLICT` if the version is not greater, the script or workflow is
     *   archived, or the idempotency key was used for another request.
     * @example
     * ```ts
     * await automation.scripts.publish('shop', 'nightly-report', { version: '1.2.0' });
     * ```
     */
    publish: async (
      namespace: string,
      name: string,
      version: PublishVersionRequest,
      options: PublishOptions = {},
    ): Promise<OrchestrationVersion> =>
      call('POST', [namespace, name, 'versions'], OrchestrationVersion, {
        prefix,
        body: version,
        ...readOptions(`${kind}.publish`, options, 'ifMatch', 'idempotencyKey'),
      }),

    /**
     * Lists the versions, newest first, without their sources.
     *
     * @returns A page with `await`, or all versions with `for await`.
     * @throws PlatformError `INVALID_PARAMS`, `TARGET_NOT_FOUND`
     */
    versions: (
      namespace: string,
      name: string,
      params: PageParams = {},
      options: RequestOptions = {},
    ): PagedList<OrchestrationVersionSummary> =>
      pagedList(async (page) =>
        call('GET', [namespace, name, 'versions'], OrchestrationVersionPage, {
          prefix,
          query: pageQuery(`${kind}.versions`, params, page),
          ...readOptions(`${kind}.versions`, options),
        }),
      ),

    /**
     * Reads a version with its source.
     *
     * @param version The exact version, not a tag.
     * @throws PlatformError `TARGET_NOT_FOUND`; `NOT_FOUND` if there is no such version.
     */
    version: async (
      namespace: string,
      name: string,
      version: string,
      options: RequestOptions = {},
    ): Promise<OrchestrationVersion> =>
      call('GET', [namespace, name, 'versions', version], OrchestrationVersion, {
        prefix,
        ...readOptions(`${kind}.version`, options),
      }),

    /**
     * Sets a tag to a published version, so that `namespace/name@tag` refers to that version.
     *
     * @param tag 1 to 64 lower-case letters, digits, `.`, `_` or `-`, of which the first is a letter.
     * @throws PlatformError `INVALID_PARAMS`, also if there is no such version; `TARGET_NOT_FOUND`,
     *   `NAMESPACE_FORBIDDEN`, `PRECONDITION_FAILED`; `CONFLICT` if the script or workflow is
     *   archived, or has 64 tags.
     * @example
     * ```ts
     * await automation.scripts.setTag('shop', 'nightly-report', 'stable', { version: '1.2.0' });
     * ```
     */
    setTag: async (
      namespace: string,
      name: string,
      tag: string,
      target: SetDistTagRequest,
      options: ConditionalOptions = {},
    ): Promise<Orchestration> =>
      call('POST', [namespace, name, 'dist_tags', tag], Orchestration, {
        prefix,
        body: target,
        ...readOptions(`${kind}.setTag`, options, 'ifMatch'),
      }),

    /**
     * Deletes a tag. The tag `latest` can only be set.
     *
     * @throws PlatformError `TARGET_NOT_FOUND`, `NAMESPACE_FORBIDDEN`, `PRECONDITION_FAILED`;
     *   `NOT_FOUND` if there is no such tag; `CONFLICT` for the tag `latest`, or if the
     *   script or workflow is archived.
     */
    deleteTag: async (
      namespace: string,
      name: string,
      tag: string,
      options: ConditionalOptions = {},
    ): Promise<Orchestration> =>
      call('DELETE', [namespace, name, 'dist_tags', tag], Orchestration, {
        prefix,
        retry: 'rejected',
        ...readOptions(`${kind}.deleteTag`, options, 'ifMatch'),
      }),

    /**
     * Archives a script or workflow: it is not listed by default, and can't be changed. Its name
     * stays reserved. Idempotent.
     *
     * @throws PlatformError `TARGET_NOT_FOUND`, `NAMESPACE_FORBIDDEN`, `PRECONDITION_FAILED`
     */
    archive: async (
      namespace: string,
      name: string,
      options: ConditionalOptions = {},
    ): Promise<Orchestration> =>
      call('POST', [namespace, name, 'archive'], Orchestration, {
        prefix,
        body: {},
        ...readOptions(`${kind}.archive`, options, 'ifMatch'),
      }),

    /**
     * Restores an archived script or workflow with its draft, versions and tags. Idempotent.
     *
     * @throws PlatformError `TARGET_NOT_FOUND`, `NAMESPACE_FORBIDDEN`, `PRECONDITION_FAILED`
     */
    restore: async (
      namespace: string,
      name: string,
      options: ConditionalOptions = {},
    ): Promise<Orchestration> =>
      call('POST', [namespace, name, 'restore'], Orchestration, {
        prefix,
        body: {},
        ...readOptions(`${kind}.restore`, options, 'ifMatch'),
      }),
  };
}
