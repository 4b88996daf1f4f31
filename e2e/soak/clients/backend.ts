import { createPlatformClient, type PlatformClient } from '@inlay/node';
import { lifetimeSeconds } from '../server/configuration.ts';

export interface BackendOptions {
  baseUrl: string;
  apiKey: string;
}

/** Milliseconds in which a token is not revoked twice: a second revocation within a minute ends the conversation. */
const revocationPause = 90_000;

/** The host's backend: issues tokens for the people it has signed in, and takes them back. */
export class Backend {
  readonly #platform: PlatformClient;
  /** The newest token of each person, by its record. */
  readonly #issued = new Map<string, string>();
  readonly #revokedAt = new Map<string, number>();

  constructor({ baseUrl, apiKey }: BackendOptions) {
    this.#platform = createPlatformClient({ baseUrl, apiKey, maxRetries: 0 });
  }

  async issue(person: string): Promise<string> {
    const { id, token } = await this.#platform.embedTokens.issue({
      agent: 'soak',
      external_user_id: person,
      ttl_seconds: lifetimeSeconds,
    });
    this.#issued.set(person, id);
    return token;
  }

  /** Revokes the token of one of these people, who has had none revoked lately. Says whether it did. */
  async revokeOne(people: readonly string[]): Promise<boolean> {
    const now = Date.now();
    const open = people.filter(
      (person) =>
        this.#issued.has(person) && now - (this.#revokedAt.get(person) ?? 0) > revocationPause,
    );
    const person = open[Math.floor(Math.random() * open.length)];
    const id = person && this.#issued.get(person);
    if (!id) return false;
    this.#revokedAt.set(person, now);
    await this.#platform.embedTokens.revoke(id);
    return true;
  }
}
