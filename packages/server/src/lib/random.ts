import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';

/** Randomness, so that tests can repeat it. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Bytes fetched at a time: one asking costs as much for many as for few. */
const poolSize = 4096;

/** The operating system's randomness. No byte is given out twice, and none stays in the pool. */
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

/** An identifier that nobody can guess, but that is no secret: 16 random bytes. */
export function newId(random: Random, prefix: string): string {
  return prefix + toBase64Url(random.bytes(16));
}

/**
 * An identifier like those of `newId` for what is written at `now`: six bytes of the moment and ten
 * random ones. Such ids lie side by side in an index, where others would each dirty a page of it.
 */
export function newIdAt(random: Random, now: number, prefix: string): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random.bytes(10), 6);
  return prefix + toBase64Url(bytes);
}

/** A credential: 32 random bytes (256 bits), after its prefix. */
export function newSecret(random: Random, prefix: string): string {
  return prefix + toBase64Url(random.bytes(32));
}

/**
 * What the store keeps in place of a secret. A plain SHA-256 is enough, because every secret here
 * has 256 random bits: there is nothing to guess that a slow hash would have to protect.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two hashes without telling by its duration how far they agree. */
export function sameHash(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
