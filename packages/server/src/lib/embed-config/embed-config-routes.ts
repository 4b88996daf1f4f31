import { EmbedConfig } from '@inlay/protocol';
import { agentVersion, policyOf } from '../agents/agent.ts';
import { featuresFor } from '../agents/require-feature.ts';
import { isoTime } from '../clock.ts';
import { matchesAny } from '../config/origin-pattern.ts';
import { sessionDays } from '../config/session-days.ts';
import { createConsentTexts } from '../consents/consents.ts';
import { attachmentPolicy } from '../files/attachment-policy.ts';
import { type Route, route } from '../http/route.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';

/** Route of the widget's configuration, which the widget requests before anything else. */
export function embedConfigRoutes({
  agents,
  baseUrl,
  clock,
  config,
  log,
  spending,
  store,
}: Pick<
  Services,
  'agents' | 'baseUrl' | 'clock' | 'config' | 'log' | 'spending' | 'store'
>): Route[] {
  const consentOf = createConsentTexts({ store, clock, log });
  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/embed/config',
        audience: 'end_user',
        tag: 'Widget',
        summary: 'Read the configuration of the widget',
        description:
          'Compare `token.expires_at` with `server_time`, not with the clock of the browser.',
        response: EmbedConfig,
      },
      async ({ c, caller }) => {
        const agent = agents.find(caller.agentId);
        const version = agent && agentVersion(agent, caller.agentVersion);
        if (!agent || !version) {
          throw new ApiError(
            'EMBED_TOKEN_REVOKED',
            'The agent or version of this token no longer exists.',
          );
        }
        const { appearance } = agent;
        c.header('cache-control', 'no-store');
        return {
          type: 'embed_config' as const,
          agent: {
            id: agent.id,
            name: agent.name,
            version: version.version,
            description: agent.description,
          },
          greeting: appearance.greeting,
          starter_prompts: appearance.starter_prompts,
          welcome: appearance.welcome,
          disclosure: appearance.disclosure,
          disclaimer: appearance.disclaimer,
          features: {
            ...featuresFor(caller, appearance.features),
            visitor_claim:
              !caller.anonymous && caller.sessionId === null && policyOf(agent).allow_visitor_claim,
          },
          attachments: attachmentPolicy(agent, config),
          consent: await consentOf(agent),
          retention: { sessions_days: sessionDays(agent, config) },
          modes: version.modes.map(({ id, label, description }) => ({ id, label, description })),
          allowances: await spending.dailyAllowances({
            agent_id: caller.agentId,
            publishable_key: caller.publishableKey,
            external_user_id: caller.externalUserId,
            source: null,
          }),
          image_origins: imageOrigins(appearance.image_origins, baseUrl),
          theme: appearance.theme,
          return_url: agent.hosted.return_url,
          token: {
            expires_at: isoTime(caller.expiresAt),
            external_user_id: caller.externalUserId,
            anonymous: caller.anonymous,
            session_id: caller.sessionId,
          },
          server_time: isoTime(clock.now()),
        };
      },
    ),
  ];
}

/**
 * Adds the platform's own origin to the patterns if a pattern matches this origin, because the widget
 * compares the origins of images exactly and does not evaluate patterns.
 */
function imageOrigins(patterns: readonly string[], baseUrl: string): string[] {
  const own = new URL(baseUrl).origin;
  return [...new Set([...patterns, ...(matchesAny(patterns, own) ? [own] : [])])];
}
