import { idPrefix } from '@inlay/protocol';
import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { sourceOf } from '../http/source.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashesMatch, hashSecret } from '../random.ts';
import type { Services } from '../services.ts';
import { apiKeyId, findApiKey, markUsed } from './api-keys.ts';
import type { BackendCaller, Caller } from './caller.ts';
import { checkOrigin, requireKnownOrigin } from './check-origin.ts';
import { findToken } from './find-token.ts';

/**
 * Middleware that identifies the caller: the host's backend by API key, or an end user by embed
 * token. Without a valid credential the caller is null. This middleware refuses no request, because
 * some routes are public; the other routes check the caller.
 */
export function authenticate(services: Services): MiddlewareHandler<AppEnv> {
  return async function identifyCaller(c, next) {
    c.set('credential', 'none');
    await setCaller(c, () => findCaller(c, services));
    await next();
  };
}

/** Sets the caller of a request, or why there is none. */
export async function setCaller(
  c: Context<AppEnv>,
  identify: () => Promise<Caller | null>,
): Promise<void> {
  c.set('caller', null);
  c.set('authError', null);
  c.set('identify', identify);
  try {
    c.set('caller', await identify());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    c.set('authError', error);
  }
}

async function findCaller(c: Context<AppEnv>, services: Services): Promise<Caller | null> {
  const credential = readCredential(c);
  const hash = credential === null ? null : hashSecret(credential);
  if (hash === null || !isKnown(hash, services)) await services.turns.wait();
  if (credential === null || hash === null) return null;
  const isToken = credential.startsWith(idPrefix.embedToken);
  c.set('credential', isToken ? 'embed_token' : 'other');
  if (!isToken) return findBackend(credential, hash, c, services);

  // Checked before the token is looked up: a page of an unknown origin must not learn whether the
  // token is valid.
  const find = () => findToken(credential, services);
  requireKnownOrigin(c, services, (origin) => services.refusedOrigins.countLater(origin, find));
  const source = sourceOf(c, services.config.trusted_proxies);
  const token = await services.credentials.find(hash, source, find);
  if (!token) throw new ApiError('AUTHENTICATION_ERROR', 'This embed token is not known.');
  checkOrigin(c, services, token);
  return token.caller;
}

/** Whether a credential is an API key of the environment, or was valid at its last look-up. */
function isKnown(hash: string, services: Services): boolean {
  return isEnvironmentKey(hash, services) || services.credentials.wasValid(hash);
}

function isEnvironmentKey(hash: string, { apiKeyHashes }: Services): boolean {
  // Compares with every hash in constant time, so that the response time reveals nothing.
  return apiKeyHashes.filter((candidate) => hashesMatch(candidate, hash)).length > 0;
}

/**
 * Checks the credential of a request again, for routes that continue long after authentication.
 *
 * @throws ApiError The problem of the credential: expired, revoked, user blocked, key disabled.
 */
export async function requireCredential(c: Context<AppEnv>): Promise<void> {
  await c.get('identify')();
}

/**
 * Owner of stored objects: the tenant of this server (docs/conformance.md, 4.13.6). All API
 * keys have the same one, so that a second key, or one that replaces a revoked one, reads the same
 * objects. Rows contain this value, so it must not change.
 */
export const tenantOwner = 'environment';

/**
 * Identifies the backend by its API key. The store is queried at every request, so that a revocation
 * takes effect immediately.
 */
async function findBackend(
  credential: string,
  hash: string,
  c: Context<AppEnv>,
  services: Services,
): Promise<BackendCaller> {
  const keyId = apiKeyId(hash);
  const caller = { kind: 'backend', keyId, owner: tenantOwner } as const;
  if (isEnvironmentKey(hash, services)) return { ...caller, name: null, limits: {} };
  const found = credential.startsWith(idPrefix.apiKey)
    ? await findStoredKey(hash, c, services)
    : null;
  if (found) {
    // The request does not wait for it, and succeeds without it.
    if (found.isUseOutdated) {
      markUsed(services, hash).catch((error: unknown) =>
        services.log.warn('use of an API key not stored', describeError(error)),
      );
    }
    return { ...caller, name: found.name, limits: found.limits };
  }
  throw new ApiError(
    'AUTHENTICATION_ERROR',
    'This credential is neither an API key nor an embed token.',
  );
}

function findStoredKey(
  hash: string,
  c: Context<AppEnv>,
  { store, clock, credentials, config }: Services,
): ReturnType<typeof findApiKey> {
  // Only for keys that were valid before, so that made-up ones do not delay revocations.
  const hasPriority = c.get('endsAccess') && credentials.wasValid(hash);
  const access = hasPriority ? store.priority : store;
  return credentials.find(hash, sourceOf(c, config.trusted_proxies), () =>
    findApiKey({ store: access, clock }, hash),
  );
}

/**
 * Reads the credential of a request. Under a compatible prefix, the header of its official client is
 * accepted as well (docs/conformance.md, 5.3).
 */
function readCredential(c: Context<AppEnv>): string | null {
  const keyHeader = c.get('family')?.keyHeader;
  const key = keyHeader && keyHeader !== 'authorization' && c.req.header(keyHeader);
  return key || readBearer(c.req.header('authorization'));
}

/**
 * Reads the credential of `Authorization: Bearer …` (RFC 6750).
 *
 * @returns Null without the header.
 * @throws ApiError `AUTHENTICATION_ERROR` for a malformed header.
 */
function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header);
  if (match?.[1]) return match[1];
  throw new ApiError(
    'AUTHENTICATION_ERROR',
    'Send the credential as `Authorization: Bearer <credential>`.',
  );
}
