import { inputHashText } from '@inlay/protocol/input-hash';

/**
 * Returns the `input_hash` of a tool call. SHA-256 is implemented here, because the function of browsers
 * is asynchronous.
 */
export function inputHash(name: string, input: Readonly<Record<string, unknown>>): string {
  return sha256(inputHashText({ name, input }));
}

/** The first 64 primes. The constants of FIPS 180-4 are fractions of their square and cube roots. */
const primes = [...Array(312).keys()].filter(
  (n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0),
);
const rootBits = (prime: number, power: number) => {
  const root = prime ** power;
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
};
const roundKeys = primes.map((prime) => rootBits(prime, 1 / 3));
const initialState = primes.slice(0, 8).map((prime) => rootBits(prime, 1 / 2));

/** Computes SHA-256 as specified by FIPS 180-4. */
function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  for (const [index, byte] of bytes.entries()) padded.setUint8(index, byte);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(blocks * 64 - 4, bytes.length * 8);
  let state = initialState;
  for (let block = 0; block < blocks; block += 1) state = processBlock(state, padded, block * 64);
  return state.map((word) => word.toString(16).padStart(8, '0')).join('');
}

function processBlock(before: readonly number[], data: DataView, offset: number): number[] {
  const words = Array.from({ length: 16 }, (_, index) => data.getUint32(offset + index * 4));
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = before;
  for (const [index, key] of roundKeys.entries()) {
    if (index >= 16) {
      const [w15 = 0, w2 = 0, w16 = 0, w7 = 0] = [15, 2, 16, 7].map((back) => words[index - back]);
      const s0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3);
      const s1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10);
      words.push((w16 + s0 + w7 + s1) >>> 0);
    }
    const t1 =
      h +
      (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
      ((e & f) ^ (~e & g)) +
      key +
      (words[index] ?? 0);
    const t2 =
      (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(t1 + t2) >>> 0, a, b, c, (d + t1) >>> 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (before[index] ?? 0)) >>> 0);
}

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
