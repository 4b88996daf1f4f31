import { createPlatformClient, type PlatformClient } from '@inlay/node';
import { tokenLifetimeSeconds } from '../server/configuration.ts';

export interface BackendOptions {
  baseUrl: string;
  apiKey: string;
}

/** Two revocations within a minute would end the conversation of the user. */
const minRevocationIntervalMs = 90_000;

/** The host's backend, which issues and revokes tokens. */
export class Backend {
  readonly #platform: PlatformClient;
  /** Id of the latest token of each user. */
  readonly #issued = new Map<string, string>();
  readonly #revokedAt = new Map<string, number>();

  constructor({ baseUrl, apiKey }: BackendOptions) {
    this.#platform = createPlatformClient({ baseUrl, apiKey, maxRetries: 0 });
  }

  async issue(user: string): Promise<string> {
    const { id, token } = await this.#platform.embedTokens.issue({
      agent: 'soak',
      external_user_id: user,
      ttl_seconds: tokenLifetimeSeconds,
    });
    this.#issued.set(user, id);
    return token;
  }

  /** Revokes the token of a random user without a recent revocation. Returns whether there was such a user. */
  async revokeOne(users: readonly string[]): Promise<boolean> {
    const now = Date.now();
    const candidates = users.filter(
      (user) =>
        this.#issued.has(user) && now - (this.#revokedAt.get(user) ?? 0) > minRevocationIntervalMs,
    );
    const user = candidates[Math.floor(Math.random() * candidates.length)];
    const id = user && this.#issued.get(user);
    if (!id) return false;
    this.#revokedAt.set(user, now);
    await this.#platform.embedTokens.revoke(id);
    return true;
  }
}
