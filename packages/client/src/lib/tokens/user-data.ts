import type { Forgotten } from '@inlay/protocol';
import { isInlayError } from '../errors.ts';
import type { AgentApi } from '../http/api.ts';
import type { EarlierVisitor, InlayClient } from '../inlay-client.ts';
import { safeStore, visitorKey } from '../page-store.ts';
import { readForgotten, readVisitorClaim } from '../responses/read-responses.ts';
import { abortError } from '../wait.ts';
import type { VisitorLocation } from './sources/anonymous.ts';
import type { TokenManager } from './token-manager.ts';
import type { TokenSource } from './token-source.ts';

/** The parts of a client that these functions need. */
export interface UserDataContext {
  readonly baseUrl: string;
  readonly config: InlayClient['config'];
  readonly platform: AgentApi;
  readonly source: TokenSource;
  readonly tokens: TokenManager;
}

/**
 * See `InlayClient.forgetMe`.
 *
 * @param userSignal That of the user who called it. The user may have changed since.
 */
export async function forgetMe(
  { platform, tokens, source, baseUrl }: UserDataContext,
  userSignal: AbortSignal,
): Promise<Forgotten> {
  if (userSignal.aborted) throw abortError(userSignal);
  const path = '/embed/forget_me';
  const forgotten = await platform.call(path, readForgotten, { method: 'POST', body: {} });
  if (!userSignal.aborted) {
    source.forget?.(baseUrl);
    tokens.reset();
  }
  return forgotten;
}

/** See `InlayClient.earlierVisitor`. */
export async function findEarlierVisitor(
  { config, platform, tokens, baseUrl }: UserDataContext,
  { publishableKey, store: location = 'local' }: VisitorLocation,
): Promise<EarlierVisitor | null> {
  const store = safeStore(location, 'store');
  const key = visitorKey(baseUrl, publishableKey);
  const secret = store.read(key);
  if (secret === null) return null;
  const { userSignal } = tokens;
  if (!(await config()).features.visitor_claim) return null;

  const forget = () => {
    // Another tab may have stored the secret of a new visitor.
    if (store.read(key) === secret) store.remove(key);
  };
  /** Returns the number of conversations; 0 if the secret is unknown, used or blocked. */
  const request = async (dry_run: boolean): Promise<number> => {
    // The question was answered by the previous user.
    if (userSignal.aborted) throw abortError(userSignal);
    const body = { visitor_secret: secret, dry_run };
    try {
      const claim = { method: 'POST', body } as const;
      return (await platform.call('/embed/claim', readVisitorClaim, claim)).sessions;
    } catch (error) {
      if (!isInlayError(error) || error.code !== 'NOT_FOUND') throw error;
      forget();
      return 0;
    }
  };
  const sessions = await request(true);
  if (sessions === 0) return null;
  return {
    sessions,
    async claim() {
      await request(false);
      forget();
    },
    forget,
  };
}
