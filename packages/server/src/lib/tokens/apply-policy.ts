import type { FieldError, IssueTokenRequest } from '@inlay/protocol';
import { type Agent, type AgentVersion, policyOf, versionForToken } from '../agents/agent.ts';
import type { Config } from '../config/config.ts';
import type { EmbedPolicy } from '../config/embed-policy.ts';
import { coversPattern, explainPattern } from '../config/origin-pattern.ts';
import { isPriced } from '../config/unpriced-models.ts';
import { invalid } from '../http/validate.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Grant } from './create-issuance.ts';

/** Lays a request against the agent's embed policy (service reference, section 4.1). */
export function applyPolicy(
  agent: Agent,
  request: IssueTokenRequest,
  prices: Config['prices'],
): Grant {
  const policy = requirePolicy(agent);
  if (request.agent_override && !policy.allow_agent_override) {
    throw new ApiError(
      'EMBED_FIELD_NOT_ALLOWED',
      '`agent_override` is not allowed by this agent’s embed policy. Leave it out, or set `allow_agent_override` in the policy.',
      { errors: [{ pointer: '/agent_override', message: 'is not allowed by the embed policy' }] },
    );
  }
  const version = versionForToken(agent, request.version);
  const errors: FieldError[] = [
    ...(version ? [] : [{ pointer: '/version', message: 'is no version of this agent' }]),
    ...atMost('/ttl_seconds', request.ttl_seconds, policy.max_ttl_seconds),
    ...atMost('/budget_cents', request.budget_cents, policy.max_budget_cents),
    ...uncountable(request.budget_cents, version, prices),
    ...foreignOrigins(request.allowed_origins ?? [], policy.allowed_origins),
  ];
  if (!version || errors.length > 0) throw invalid(errors);
  return {
    agent,
    version: version.version,
    externalUserId: request.external_user_id,
    publishableKey: null,
    ttlSeconds: request.ttl_seconds ?? policy.default_ttl_seconds,
    systemMessage: request.system_message ?? null,
    overrideSystem: request.agent_override?.system ?? null,
    budgetCents: request.budget_cents ?? defaultBudget(agent),
    allowedOrigins: request.allowed_origins ?? policy.allowed_origins,
    metadata: request.metadata ?? {},
    hosted: request.hosted ?? false,
  };
}

/** Tokens are for agents that are in use and have an embed policy. */
function requirePolicy(agent: Agent): EmbedPolicy {
  if (agent.archivedAt !== null) {
    throw notNow('is an archived agent', 'Take it back from the archive first.');
  }
  if (agent.embed) return agent.embed;
  throw notNow('is an agent without an embed policy', 'Set its `embed` first.');
}

function notNow(message: string, remedy: string): ApiError {
  return new ApiError('CONFLICT', `\`agent\` ${message}. ${remedy}`, {
    errors: [{ pointer: '/agent', message }],
  });
}

/** A policy with a maximum but no default gives its maximum: without one, nothing would bound it. */
export function defaultBudget(agent: Agent): number | null {
  const policy = policyOf(agent);
  return policy.default_budget_cents ?? policy.max_budget_cents;
}

function atMost(pointer: string, value: number | undefined, most: number | null): FieldError[] {
  if (value === undefined || most === null || value <= most) return [];
  return [{ pointer, message: `must be at most ${most}, the maximum of the embed policy` }];
}

/** A budget of a model without a price would never be reached. */
function uncountable(
  budget: number | undefined,
  version: AgentVersion | null,
  prices: Config['prices'],
): FieldError[] {
  const models = version
    ? [version.model, ...version.modes.flatMap(({ model }) => model ?? [])]
    : [];
  const unpriced = models.find((model) => !isPriced(model, prices));
  if (budget === undefined || !unpriced) return [];
  const name = 'model' in unpriced ? unpriced.model : unpriced.provider;
  const message = `cannot be kept: the model \`${name}\` has no price. Add it to \`prices\` of the platform’s configuration`;
  return [{ pointer: '/budget_cents', message }];
}

function foreignOrigins(asked: readonly string[], allowed: readonly string[]): FieldError[] {
  return asked.flatMap((origin, index) => {
    const wrong = explainPattern(origin);
    const covered = allowed.some((wide) => coversPattern(wide, origin));
    const message = wrong ?? (covered ? null : 'is not among the origins of the embed policy');
    return message === null ? [] : [{ pointer: `/allowed_origins/${index}`, message }];
  });
}
