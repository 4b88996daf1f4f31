import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../random.ts';

/** Minimum characters of a password. */
export const minimumPasswordLength = 12;

/** Parameters of scrypt with 32 MiB (OWASP Password Storage Cheat Sheet). */
const parameters = { N: 32_768, r: 8, p: 3, maxmem: 67_108_864 } as const;
const keyBytes = 32;
const saltBytes = 16;

/** The hash in progress: one at a time, because each takes 32 MiB and a thread. */
let last: Promise<unknown> = Promise.resolve();

function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  const start = () =>
    new Promise<Buffer>((resolve, reject) => {
      // The same password has the same code points, however it was typed.
      scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  const derived = last.then(start);
  last = derived.catch(() => {});
  return derived;
}

/** Hashes a password with a new salt, as `scrypt$N$r$p$salt$key`. */
export async function hashPassword(random: Random, password: string): Promise<string> {
  const salt = random.bytes(saltBytes);
  const key = await derive(password, salt, parameters);
  const { N, r, p } = parameters;
  return ['scrypt', N, r, p, encode(salt), encode(key)].join('$');
}

/**
 * Whether a password has this hash. Without a hash, it takes as long, so that the time does not
 * reveal which names exist.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  if (hash === null) {
    await derive(password, new Uint8Array(saltBytes), parameters);
    return false;
  }
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: parameters.maxmem };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), options);
  const expected = Buffer.from(key, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
