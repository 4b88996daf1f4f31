import type { ProblemCode, ProblemDefinition } from '@inlay/protocol';

/** A problem with its codes, for its page. */
export interface ExplainedProblem extends ProblemDefinition {
  codes: readonly string[];
}

const define = (
  codes: string | readonly string[],
  definition: Omit<ProblemDefinition, 'retryable'> & { retryable?: boolean },
): ExplainedProblem => ({ codes: [codes].flat(), retryable: false, ...definition });

/** The codes that compatible prefixes use for a problem of this server. They share its page. */
export const codesOfFamilies: Readonly<Partial<Record<ProblemCode, readonly string[]>>> = {
  INSUFFICIENT_BALANCE: ['insufficient_quota'],
  MODEL_PROTOCOL_NOT_OFFERED: ['model_protocol_not_offered'],
};

/**
 * Codes of the service reference, section 7.4, that this server never uses: those of automation and of
 * compatible prefixes. They have pages here, because all services of a platform share the base URL of
 * `type`.
 */
export const platformProblems: readonly ExplainedProblem[] = [
  define('GENERATION_NOT_FOUND', {
    status: 404,
    name: 'generation-not-found',
    title: 'There is no such generation record',
    kind: 'not_found',
    origin: 'user',
    recovery: 'check_identifier',
    help: 'The record does not exist, or belongs to another account.',
  }),
  define('NAMESPACE_FORBIDDEN', {
    status: 403,
    name: 'namespace-forbidden',
    title: 'This namespace may not be changed',
    kind: 'permission',
    origin: 'user',
    recovery: 'check_permission',
    help: 'The namespace is read-only, or the run token does not allow it.',
  }),
  define('ACTION_NOT_FOUND', {
    status: 404,
    name: 'action-not-found',
    title: 'There is no such action',
    kind: 'not_found',
    origin: 'user',
    recovery: 'check_identifier',
    help: 'The action does not exist, or your account may not see it. A script or workflow of that name has an interface of its own.',
  }),
  define('TARGET_NOT_FOUND', {
    status: 404,
    name: 'target-not-found',
    title: 'There is no such script or workflow',
    kind: 'not_found',
    origin: 'user',
    recovery: 'check_identifier',
    help: 'The target does not exist, or is of another kind.',
  }),
  define('PRECONDITION_FAILED', {
    status: 412,
    name: 'precondition-failed',
    title: 'It was changed meanwhile',
    kind: 'conflict',
    origin: 'user',
    recovery: 'reread_state',
    help: 'The revision, the source digest or a concurrent write does not fit the condition of the request. Read it again and adjust the request.',
  }),
  define('NAME_TAKEN', {
    status: 409,
    name: 'name-taken',
    title: 'The name is taken',
    kind: 'conflict',
    origin: 'user',
    recovery: 'fix_request',
    help: 'Scripts and workflows of a namespace share their names, and an archived one keeps its own. Choose another.',
  }),
  define('OPERATION_NOT_SUPPORTED', {
    status: 501,
    name: 'operation-not-supported',
    title: 'This operation is not supported',
    kind: 'unsupported',
    origin: 'platform',
    recovery: 'use_supported_endpoint',
    help: 'Actions in containers and shell scripts cannot be created yet. Use a code implementation.',
  }),
];
