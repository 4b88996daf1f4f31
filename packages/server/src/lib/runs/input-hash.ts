import { createHash } from 'node:crypto';
import { type HashedCall, inputHashText } from '@inlay/protocol/input-hash';

/** Identifies what a user confirms: see `inputHashText`. */
export function inputHash(call: HashedCall): string {
  return createHash('sha256').update(inputHashText(call)).digest('hex');
}
