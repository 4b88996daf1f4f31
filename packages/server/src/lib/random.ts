import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** Source of random bytes. Tests use a deterministic one. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Random bytes requested per system call. A call costs the same for many bytes as for few. */
const poolSize = 4096;

/** Random bytes of the operating system. Each byte is returned once, and then erased from the pool. */
export const systemRandom: Random = createSystemRandom();

function createSystemRandom(): Random {
  const pool = new Uint8Array(poolSize);
  let used = poolSize;
  return {
    bytes(count) {
      if (count > poolSize) return randomFillSync(new Uint8Array(count));
      if (used + count > poolSize) {
        randomFillSync(pool);
        used = 0;
      }
      const bytes = pool.slice(used, used + count);
      pool.fill(0, used, used + count);
      used += count;
      return bytes;
    },
  };
}

/** Creates an id of 16 random bytes, which cannot be guessed. */
export function newId(random: Random, prefix: string): string {
  return prefix + toBase64Url(random.bytes(16));
}

/**
 * Creates an id from six bytes of time and ten random bytes. In a database index, such ids are
 * adjacent if they were created one after another; ids of `newId` are spread over all its pages.
 *
 * @param now Milliseconds since the epoch.
 */
export function newIdAt(random: Random, now: number, prefix: string): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random.bytes(10), 6);
  return prefix + toBase64Url(bytes);
}

/** Creates a credential: the prefix and 32 random bytes (256 bits). */
export function newSecret(random: Random, prefix: string): string {
  return prefix + toBase64Url(random.bytes(32));
}

/**
 * Hashes a secret for the store. Plain SHA-256 is enough, because generated secrets have 256 random
 * bits: a slow hash only protects values that can be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether two hashes are equal. Compares in constant time. */
export function hashesMatch(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
