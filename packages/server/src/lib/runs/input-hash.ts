import { createHash } from 'node:crypto';

/**
 * Identifies what a user confirms: SHA-256 in hex over the call's name and its arguments, as JSON
 * with sorted keys.
 */
export function inputHash(call: {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}): string {
  const text = canonical({ name: call.name, input: call.input });
  return createHash('sha256').update(text).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
