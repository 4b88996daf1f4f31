import { idPrefix } from '@inlay/protocol';
import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashSecret, sameHash } from '../random.ts';
import type { Services } from '../services.ts';
import type { Store } from '../store/store.ts';
import { apiKeyId, isApiKey } from './api-keys.ts';
import type { BackendCaller, Caller } from './caller.ts';
import { checkOrigin, requireKnownOrigin } from './check-origin.ts';
import { findToken } from './find-token.ts';

/**
 * Finds out who is calling: the host's backend by API key, an end user by embed token, or nobody.
 * It refuses nothing by itself, because public routes take anyone; the route asks.
 */
export function authenticate(services: Services): MiddlewareHandler<AppEnv> {
  return async function identifyCaller(c, next) {
    c.set('caller', null);
    c.set('authError', null);
    c.set('credential', 'none');
    try {
      c.set('caller', await identify(c, services));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      c.set('authError', error);
    }
    await next();
  };
}

async function identify(c: Context<AppEnv>, services: Services): Promise<Caller | null> {
  const credential = bearer(c.req.header('authorization'));
  if (credential === null) return null;
  const isToken = credential.startsWith(idPrefix.embedToken);
  c.set('credential', isToken ? 'embed_token' : 'other');
  if (!isToken) {
    const { clock, apiKeyHashes } = services;
    const store = c.get('lane') === 'stop' ? services.store.priority : services.store;
    return findBackend(credential, { store, clock, apiKeyHashes });
  }

  // Before the token is looked up: a page of an unknown origin must not learn whether it is good.
  requireKnownOrigin(c, services);
  const token = await findToken(credential, services);
  if (!token) throw new ApiError('AUTHENTICATION_ERROR', 'This embed token is not known.');
  checkOrigin(c, services, token);
  return token.caller;
}

/**
 * Checks the credential of a request again, for work that happens later than the head arrived.
 * @throws The problem of a credential that has ended: revoked, expired, blocked, its key disabled.
 */
export async function requireCredential(c: Context<AppEnv>, services: Services): Promise<void> {
  await identify(c, services);
}

/** In the store at every request, as tokens are: nothing stands between a revocation and its effect. */
async function findBackend(
  credential: string,
  services: Pick<Services, 'clock' | 'apiKeyHashes'> & { store: Pick<Store, 'db'> },
): Promise<BackendCaller> {
  const hash = hashSecret(credential);
  // Every hash is compared, so that the time tells nothing of which came close.
  const fixed = services.apiKeyHashes.filter((candidate) => sameHash(candidate, hash));
  const isKnown =
    fixed.length > 0 ||
    (credential.startsWith(idPrefix.apiKey) && (await isApiKey(services, hash)));
  if (isKnown) return { kind: 'backend', keyId: apiKeyId(hash) };
  throw new ApiError(
    'AUTHENTICATION_ERROR',
    'This credential is neither an API key nor an embed token.',
  );
}

/** The credential of `Authorization: Bearer …` (RFC 6750); null where none is sent. */
export function bearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header);
  if (match?.[1]) return match[1];
  throw new ApiError(
    'AUTHENTICATION_ERROR',
    'Send the credential as `Authorization: Bearer <credential>`.',
  );
}
