import { createHash } from 'node:crypto';
import { type HashedCall, inputHashText } from '@inlay/protocol/input-hash';

/**
 * Returns the SHA-256, in hex, that identifies the call that a user confirms (see `inputHashText`).
 */
export function inputHash(call: HashedCall): string {
  return createHash('sha256').update(inputHashText(call)).digest('hex');
}
