import type { FieldError, IssueTokenRequest, TokenFeatures } from '@inlay/protocol';
import { type Agent, type AgentVersion, policyOf, versionForToken } from '../agents/agent.ts';
import type { Config } from '../config/config.ts';
import type { EmbedPolicy } from '../config/embed-policy.ts';
import { coversPattern, explainPattern } from '../config/origin-pattern.ts';
import { isPriced } from '../config/unpriced-models.ts';
import { invalid } from '../http/validate.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Grant } from './create-issuance.ts';

/**
 * Checks a token request against the agent's embed policy, and adds the defaults of the policy
 * (docs/conformance.md, 4.1).
 *
 * @throws ApiError `EMBED_FIELD_NOT_ALLOWED`, `VALIDATION_ERROR` or `CONFLICT`.
 */
export function applyPolicy(
  agent: Agent,
  request: IssueTokenRequest,
  prices: Config['prices'],
): Omit<Grant, 'issuedBy'> {
  const policy = requirePolicy(agent);
  if (request.agent_override && !policy.allow_agent_override) {
    throw new ApiError(
      'EMBED_FIELD_NOT_ALLOWED',
      '`agent_override` is not allowed by this agent’s embed policy. Leave it out, or set `allow_agent_override` in the policy.',
      { errors: [{ pointer: '/agent_override', message: 'is not allowed by the embed policy' }] },
    );
  }
  requireEnabled(agent, request.features ?? {});
  const version = versionForToken(agent, request.version);
  const errors: FieldError[] = [
    ...(version ? [] : [{ pointer: '/version', message: 'is not a version of this agent' }]),
    ...aboveMaximum('/ttl_seconds', request.ttl_seconds, policy.max_ttl_seconds),
    ...aboveMaximum('/budget_cents', request.budget_cents, policy.max_budget_cents),
    ...unpricedBudget(request.budget_cents, version, prices),
    ...disallowedOrigins(request.allowed_origins ?? [], policy.allowed_origins),
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
    features: request.features ?? {},
    sessionId: request.session_id ?? null,
    hosted: request.hosted ?? false,
  };
}

/** Refuses features that the agent's settings disable: a token can only disable more of them. */
function requireEnabled(agent: Agent, features: TokenFeatures): void {
  const disabled = Object.entries(features)
    .filter(([name, isOn]) => isOn && !agent.appearance.features[name as keyof TokenFeatures])
    .map(([name]) => name);
  if (disabled.length === 0) return;
  throw new ApiError(
    'EMBED_FIELD_NOT_ALLOWED',
    `\`features\` enables what this agent’s settings disable: ${disabled.join(', ')}. Leave it out, or enable it in \`appearance.features\` of the agent.`,
    {
      errors: disabled.map((name) => ({
        pointer: `/features/${name}`,
        message: 'is disabled by the settings of the agent',
      })),
    },
  );
}

/** Returns the embed policy of an agent; throws `CONFLICT` if the agent is archived or has none. */
function requirePolicy(agent: Agent): EmbedPolicy {
  if (agent.archivedAt !== null) {
    throw agentConflict('is an archived agent', 'Restore it first.');
  }
  if (agent.embed) return agent.embed;
  throw agentConflict('is an agent without an embed policy', 'Set its `embed` first.');
}

function agentConflict(message: string, remedy: string): ApiError {
  return new ApiError('CONFLICT', `\`agent\` ${message}. ${remedy}`, {
    errors: [{ pointer: '/agent', message }],
  });
}

/**
 * Returns the budget, in cents, of a token whose request has none: the default of the policy, or
 * its maximum if there is no default; null for no limit.
 */
export function defaultBudget(agent: Agent): number | null {
  const policy = policyOf(agent);
  return policy.default_budget_cents ?? policy.max_budget_cents;
}

function aboveMaximum(
  pointer: string,
  value: number | undefined,
  maximum: number | null,
): FieldError[] {
  if (value === undefined || maximum === null || value <= maximum) return [];
  return [{ pointer, message: `must be at most ${maximum}, the maximum of the embed policy` }];
}

/**
 * A budget is an error if a model of the version has no price, because spending cannot be measured.
 */
function unpricedBudget(
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

function disallowedOrigins(requested: readonly string[], allowed: readonly string[]): FieldError[] {
  return requested.flatMap((origin, index) => {
    const problem = explainPattern(origin);
    const isAllowed = allowed.some((pattern) => coversPattern(pattern, origin));
    const message = problem ?? (isAllowed ? null : 'is not among the origins of the embed policy');
    return message === null ? [] : [{ pointer: `/allowed_origins/${index}`, message }];
  });
}
