import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Randomness, so that tests can repeat it. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** The operating system's randomness. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** An identifier that nobody can guess, but that is no secret: 16 random bytes. */
export function newId(random: Random, prefix: string): string {
  return prefix + toBase64Url(random.bytes(16));
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
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two hashes without telling by its duration how far they agree. */
export function sameHash(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
