import { idPrefix } from '@inlay/protocol';
import { ConfigError } from '../config/parse-config.ts';
import type { Deps } from '../deps.ts';
import { hashSecret, newSecret } from '../ports/random.ts';

/**
 * The API keys that open the backend's side: the one of the environment; else the one that an
 * earlier start made; else a new one, which is returned this once. Only hashes are kept.
 */
export async function prepareApiKeys(
  { store, clock, random }: Pick<Deps, 'store' | 'clock' | 'random'>,
  fromEnvironment: string | undefined,
): Promise<{ hashes: string[]; newKey: string | null }> {
  if (fromEnvironment) {
    // The characters of a bearer credential (RFC 6750): with others, no request could present it.
    if (!new RegExp(`^${idPrefix.apiKey}[A-Za-z0-9._~+/-]+=*$`).test(fromEnvironment)) {
      throw new ConfigError(
        `INLAY_API_KEY must begin with \`${idPrefix.apiKey}\`, followed by a secret of letters, digits and - . _ ~ + /. Unset it to have one made.`,
      );
    }
    return { hashes: [hashSecret(fromEnvironment)], newKey: null };
  }
  const rows = await store.db.selectFrom('api_keys').select('hash').execute();
  if (rows.length > 0) return { hashes: rows.map(({ hash }) => hash), newKey: null };
  const newKey = newSecret(random, idPrefix.apiKey);
  const hash = hashSecret(newKey);
  await store.db.insertInto('api_keys').values({ hash, created_at: clock.now() }).execute();
  return { hashes: [hash], newKey };
}
