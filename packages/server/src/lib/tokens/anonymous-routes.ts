import { AnonymousTokenRequest, AnonymousTokenResponse } from '@inlay/protocol';
import type { Context } from 'hono';
import * as z from 'zod';
import { type Agent, type AgentKey, policyOf, versionForToken } from '../agents/agent.ts';
import { unknownKey } from '../agents/publishable-keys.ts';
import { checkKeyOrigin, requireKnownOrigin } from '../auth/check-origin.ts';
import { coversPattern } from '../config/origin-pattern.ts';
import type { AppEnv } from '../http/env.ts';
import { type Route, route } from '../http/route.ts';
import { networksOf, sourceOf } from '../http/source.ts';
import { requireDailyQuota, sourceSubject } from '../limits/daily-quotas.ts';
import { passChallenge } from '../limits/visitor-challenge.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { defaultBudget } from './apply-policy.ts';
import { createIssuer } from './create-issuance.ts';
import { createVisitor, findVisitor, recordPassedChallenge } from './visitors.ts';

/**
 * The request body. `visitor_secret` may have any type, because an invalid secret creates a new
 * visitor instead of an error.
 */
const Body = z
  .looseObject({
    publishable_key: AnonymousTokenRequest.shape.publishable_key,
    visitor_secret: z.unknown().optional(),
    challenge_answer: AnonymousTokenRequest.shape.challenge_answer,
  })
  .meta({ id: 'AnonymousTokenRequest' });

/**
 * Fields that only a backend may send. A request with one of them is rejected, so that no page
 * relies on a field that has no effect.
 */
const backendFields = [
  'agent',
  'external_user_id',
  'ttl_seconds',
  'version',
  'system_message',
  'agent_override',
  'budget_cents',
  'allowed_origins',
  'metadata',
  'hosted',
];

/** Path of the route for visitors. Its body has the publishable key. */
export const anonymousPath = '/agent/v1/embed_tokens/anonymous';

/** Route that issues tokens to visitors, who are not signed in (docs/conformance.md, 4.3). */
export function anonymousRoutes(services: Services): Route[] {
  const issue = createIssuer(services);

  return [
    route(
      {
        method: 'post',
        path: anonymousPath,
        audience: 'public',
        tag: 'Embed tokens',
        summary: 'Get a token for a visitor, by publishable key',
        description:
          'Called by the page itself. A new visitor also gets a `visitor_secret`, which identifies the visitor in later requests. An unknown secret creates a new visitor. After an `EMBED_CHALLENGE_REQUIRED`, repeat the request with `challenge_answer`.',
        body: Body,
        response: AnonymousTokenResponse,
        problems: [
          'AUTHENTICATION_ERROR',
          'EMBED_ORIGIN_NOT_ALLOWED',
          'EMBED_FIELD_NOT_ALLOWED',
          'EMBED_USER_BLOCKED',
          'EMBED_CHALLENGE_REQUIRED',
          'EMBED_QUOTA_EXCEEDED',
          'SERVICE_UNAVAILABLE',
        ],
      },
      async ({ c, body }) => {
        c.header('cache-control', 'no-store');
        const found = services.agents.findPublishableKey(body.publishable_key);
        // First, so that a page of an unknown origin does not learn whether the key is valid.
        requireKnownOrigin(c, services, (origin) => {
          if (found) services.refusedOrigins.count(found.agent.id, origin);
        });
        refuseBackendFields(body);
        if (!found) throw unknownKey();
        const { agent, publishableKey } = found;
        const allowedOrigins = allowedOriginsOf(agent, publishableKey);
        checkKeyOrigin(c, services, { agentId: agent.id, allowedOrigins });

        const externalUserId = await findVisitor(services, agent.id, body.visitor_secret);
        const challenge = {
          answer: body.challenge_answer,
          publishableKey: publishableKey.key,
          origin: c.req.header('origin') ?? '',
        };
        let visitor: { externalUserId: string; secret: string | null };
        if (externalUserId) {
          await limitRefreshes(services, publishableKey, externalUserId);
          visitor = { externalUserId, secret: null };
          const user = { agentId: agent.id, externalUserId };
          if (await passChallenge(services, publishableKey, user, challenge)) {
            await recordPassedChallenge(services, agent.id, externalUserId);
          }
        } else {
          await requireRoomForVisitor(c, publishableKey, services);
          const hasPassed = await passChallenge(services, publishableKey, null, challenge);
          await limitNewVisitors(c, publishableKey, services);
          visitor = await createVisitor(services, agent.id, hasPassed);
        }
        const issued = await issue({
          agent,
          version: versionForToken(agent, undefined)?.version ?? agent.version,
          externalUserId: visitor.externalUserId,
          publishableKey: publishableKey.key,
          ttlSeconds: policyOf(agent).default_ttl_seconds,
          systemMessage: null,
          overrideSystem: null,
          budgetCents: publishableKey.budget_cents ?? defaultBudget(agent),
          allowedOrigins,
          metadata: {},
          features: {},
          sessionId: null,
          issuedBy: null,
          hosted: false,
        });
        return {
          token: issued.token,
          expires_at: issued.expiresAt,
          ...(visitor.secret !== null && { visitor_secret: visitor.secret }),
        };
      },
    ),
  ];
}

function refuseBackendFields(body: object): void {
  const field = backendFields.find((name) => name in body);
  if (field === undefined) return;
  const message = 'cannot be set with a publishable key';
  throw new ApiError(
    'EMBED_FIELD_NOT_ALLOWED',
    `\`${field}\` ${message}: only a backend may, with its API key.`,
    {
      errors: [{ pointer: `/${field}`, message }],
    },
  );
}

/**
 * Returns the origins on which a publishable key may be used: those of its list that the agent's
 * policy also allows, or all origins of the policy if the key has no list.
 */
function allowedOriginsOf(agent: Agent, { allowed_origins }: AgentKey): string[] {
  const allowed = policyOf(agent).allowed_origins;
  if (!allowed_origins) return allowed;
  return allowed_origins.filter((origin) =>
    allowed.some((pattern) => coversPattern(pattern, origin)),
  );
}

/**
 * Counts a token of a returning visitor against `refreshes_per_visitor_per_hour`.
 *
 * @throws ApiError `RATE_LIMITED`.
 */
async function limitRefreshes(
  { limiter }: Services,
  { key, refreshes_per_visitor_per_hour: maximum }: AgentKey,
  externalUserId: string,
): Promise<void> {
  const subject = `refreshes:${key}:${externalUserId}`;
  const { allowed, retryAfterMs } = await limiter.allow(subject, { maximum, windowMs: 3_600_000 });
  if (allowed) return;
  throw new ApiError('RATE_LIMITED', `This visitor got ${maximum} tokens within an hour.`, {
    retryAfter: Math.ceil(retryAfterMs / 1000),
  });
}

/**
 * @throws ApiError `EMBED_QUOTA_EXCEEDED` if a daily quota of the key or of the client's network is used
 *   up.
 */
async function requireRoomForVisitor(
  c: Context<AppEnv>,
  publishableKey: AgentKey,
  services: Services,
): Promise<void> {
  const source = sourceOf(c, services.config.trusted_proxies);
  await requireDailyQuota(services, publishableKey, sourceSubject(publishableKey.key, source));
}

/**
 * Counts a new visitor against the hourly limit of the client's networks.
 *
 * @throws ApiError `RATE_LIMITED`
 */
async function limitNewVisitors(
  c: Context<AppEnv>,
  { key, new_visitors_per_hour: ofSource }: AgentKey,
  { config, limiter }: Services,
): Promise<void> {
  for (const [level, network] of networksOf(sourceOf(c, config.trusted_proxies)).entries()) {
    // Larger networks may have more new visitors, like their shares of the daily quotas.
    const maximum = ofSource * (level + 1);
    const { allowed, retryAfterMs } = await limiter.allow(`visitors:${key}:${network}`, {
      maximum,
      windowMs: 3_600_000,
    });
    if (allowed) continue;
    throw new ApiError(
      'RATE_LIMITED',
      'Too many new visitors came from this address within an hour.',
      { retryAfter: Math.ceil(retryAfterMs / 1000) },
    );
  }
}
