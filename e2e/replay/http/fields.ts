import { ApiError } from './api-error.ts';

/** A JSON object that is not validated yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws a 400 that names the parameter and the rule. */
export function refuse(param: string, rule: string): never {
  throw new ApiError(400, `Invalid '${param}': it ${rule}.`, { param, code: 'invalid_value' });
}
