/** Characters that a secret is looked for by, before the whole of it is compared. */
const headLength = 12;

/** Where a secret stands that should not be written down. */
export interface Finding {
  secret: string;
  /** Characters from the beginning of the text. */
  index: number;
}

/**
 * Looks for thousands of secrets in one pass: words that are long enough are compared, at every
 * place in them, with how a secret begins.
 */
export function createSecretFinder(secrets: Iterable<string>): (text: string) => Finding[] {
  const byHead = new Map<string, string[]>();
  for (const secret of secrets) {
    if (secret.length < headLength) throw new Error(`\`${secret}\` is too short to be looked for.`);
    const head = secret.slice(0, headLength);
    byHead.set(head, [...(byHead.get(head) ?? []), secret]);
  }
  return function findSecrets(text) {
    const findings: Finding[] = [];
    for (const { 0: word, index } of text.matchAll(/[\w-]{12,}/g)) {
      for (let at = 0; at + headLength <= word.length; at += 1) {
        for (const secret of byHead.get(word.slice(at, at + headLength)) ?? []) {
          if (word.startsWith(secret, at)) findings.push({ secret, index: index + at });
        }
      }
    }
    return findings;
  };
}
