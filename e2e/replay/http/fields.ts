import { ApiError } from './api-error.ts';

/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says which parameter is wrong and what the rule is, as a 400. */
export function refuse(param: string, rule: string): never {
  throw new ApiError(400, `Invalid '${param}': it ${rule}.`, { param, code: 'invalid_value' });
}
