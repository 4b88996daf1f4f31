import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretFinder } from './find-secrets.ts';

const secret = randomBytes(32).toString('base64url');

describe('createSecretFinder', () => {
  it('finds a secret anywhere in a text, with or without a prefix', () => {
    const others = Array.from({ length: 1000 }, () => randomBytes(32).toString('base64url'));
    const find = createSecretFinder([...others, secret]);
    const anyText = fc.string();

    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom('', 'et_', '#c=ec_', 'x'),
        anyText,
        (before, prefix, after) => {
          const text = `${before}${prefix}${secret}${after}`;

          expect(find(text)).toEqual([{ secret, index: before.length + prefix.length }]);
        },
      ),
    );
  });

  it('distinguishes secrets that start with the same characters, and finds each occurrence', () => {
    const [one, two] = ['sk-service-one-key', 'sk-service-one-kez'];
    const find = createSecretFinder([one, two]);

    expect(find(`${two} ${one}, ${two}`).map((finding) => finding.secret)).toEqual([two, one, two]);
  });

  it('finds neither a truncated nor an upper-case copy of a secret', () => {
    const find = createSecretFinder([secret]);

    expect(find(`${secret.slice(0, 42)} ${secret.slice(1)} ${secret.toUpperCase()}`)).toEqual([]);
  });
});
