/** Characters of a secret that are looked up before the whole secret is compared. */
const headLength = 12;

/** An occurrence of a secret. */
export interface Finding {
  secret: string;
  /** Offset in the text, in characters. */
  index: number;
}

/**
 * Returns a function that finds thousands of secrets in one pass: at each position of each long
 * word, it looks up the next `headLength` characters in a map.
 */
export function createSecretFinder(secrets: Iterable<string>): (text: string) => Finding[] {
  const byHead = new Map<string, string[]>();
  for (const secret of secrets) {
    if (secret.length < headLength) throw new Error(`\`${secret}\` is too short to search for.`);
    const head = secret.slice(0, headLength);
    byHead.set(head, [...(byHead.get(head) ?? []), secret]);
  }
  return function findSecrets(text) {
    const findings: Finding[] = [];
    for (const { 0: word, index } of text.matchAll(/[\w-]{12,}/g)) {
      for (let offset = 0; offset + headLength <= word.length; offset += 1) {
        for (const secret of byHead.get(word.slice(offset, offset + headLength)) ?? []) {
          if (word.startsWith(secret, offset)) findings.push({ secret, index: index + offset });
        }
      }
    }
    return findings;
  };
}
