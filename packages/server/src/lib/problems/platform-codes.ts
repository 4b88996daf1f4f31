import type { ProblemDefinition } from '@inlay/protocol';

/** The content of a problem page: a problem with all codes that share the page. */
export interface ExplainedProblem extends ProblemDefinition {
  codes: readonly string[];
}

const define = (
  codes: string | readonly string[],
  definition: Omit<ProblemDefinition, 'retryable'> & { retryable?: boolean },
): ExplainedProblem => ({ codes: [codes].flat(), retryable: false, ...definition });

/** Further codes of compatible prefixes, by the code of this server whose page they share. */
export const codesOfFamilies: Readonly<Partial<Record<string, readonly string[]>>> = {
  AUTHENTICATION_ERROR: ['invalid_api_key'],
  RATE_LIMITED: ['rate_limit_exceeded'],
  INSUFFICIENT_BALANCE: ['insufficient_quota'],
  MODEL_PROTOCOL_NOT_OFFERED: ['model_protocol_not_offered'],
};

/**
 * Codes that this server never sends (docs/conformance.md, 7.4). This server has their pages,
 * because all services of a platform share the base URL of `type`.
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
];
