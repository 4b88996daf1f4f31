import { toJson } from './to-json.ts';

/** A tool call that a user confirms. */
export interface HashedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Returns the text whose SHA-256, in hex, is the `input_hash` of a call: JSON of its name and input,
 * with sorted keys and without white space.
 */
export function inputHashText({ name, input }: HashedCall): string {
  return canonicalJson({ name, input });
}

/** Converts a value to JSON with sorted keys, without white space and undefined members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return toJson(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${toJson(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
