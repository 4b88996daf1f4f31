import { DeletedPublishableKey, PublishableKeyList, PublishableKeyResource } from '@inlay/protocol';
import { originsBeyondPolicy, PublishableKeySettings } from '../config/embed-policy.ts';
import { unpricedModels } from '../config/unpriced-models.ts';
import { type Call, type Route, type RouteDescription, route } from '../http/route.ts';
import { invalid, validate } from '../http/validate.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Agent } from './agent.ts';
import { CreateKeyRequest, RotateKeyRequest, UpdateKeyRequest } from './agent-requests.ts';
import { toKeyResource } from './agent-resource.ts';
import { findAgent, findKey } from './find-agent.ts';
import {
  createKey,
  deleteKey,
  type KeySettings,
  rotateKey,
  setKeyDisabled,
  updateKey,
} from './publishable-keys.ts';

const base = '/agent/v1/agents/:id/publishable_keys';
type CallParam = Call<RouteDescription>['param'];

/**
 * Routes with which the host's backend manages publishable keys. They are additions to the API
 * of docs/conformance.md.
 */
export function publishableKeyRoutes(services: Services): Route[] {
  const { clock } = services;
  const shared = {
    audience: 'backend',
    tag: 'Publishable keys',
    response: PublishableKeyResource,
    problems: ['NOT_FOUND'],
  } as const;

  return [
    route(
      {
        ...shared,
        method: 'get',
        path: base,
        summary: 'List the publishable keys of an agent',
        response: PublishableKeyList,
      },
      async ({ param }) => {
        const agent = findAgent(services, param('id'));
        return { data: agent.keys.map((key) => toKeyResource(agent, key, clock.now())) };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: base,
        summary: 'Create a publishable key',
        body: CreateKeyRequest,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param, body }) => {
        const agent = findAgent(services, param('id'));
        checkOrigins(agent, body);
        checkPrices(services, agent);
        return toKeyResource(agent, await createKey(services, agent, body), clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:key`,
        summary: 'Change what a publishable key allows',
        description:
          'Members that are left out keep their value. A key of the agent’s settings is changed there.',
        body: UpdateKeyRequest,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param, body }) => {
        const { agent, key } = findTarget(param);
        const { key: _, isDeclared, createdAt, isDisabled, endsAt, ...settings } = key;
        const after = validate(PublishableKeySettings, { ...settings, ...body });
        checkOrigins(agent, after);
        return toKeyResource(agent, await updateKey(services, agent, key, after), clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:key/rotate`,
        summary: 'Replace a publishable key by a new one',
        description:
          'Returns the new key, which has the same settings. The old key keeps working for `overlap_seconds` (by default a day), so that pages can be updated; then it ends, and with it the tokens that were issued for it.',
        body: RotateKeyRequest,
      },
      async ({ param, body }) => {
        const { agent, key } = findTarget(param);
        const rotated = await rotateKey(services, agent, key, body.overlap_seconds);
        return toKeyResource(agent, rotated, clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:key/disable`,
        endsAccess: true,
        summary: 'Disable a publishable key',
        description:
          'No more tokens are issued for it. Its tokens are revoked, and their streams end with `EMBED_TOKEN_REVOKED`.',
      },
      async ({ param }) => {
        const { agent, key } = findTarget(param);
        const after = await setKeyDisabled(services, agent, key, true);
        return toKeyResource(agent, after, clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:key/enable`,
        summary: 'Enable a disabled publishable key',
        description: 'Tokens are issued for it again. Earlier tokens stay revoked.',
      },
      async ({ param }) => {
        const { agent, key } = findTarget(param);
        const after = await setKeyDisabled(services, agent, key, false);
        return toKeyResource(agent, after, clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'delete',
        path: `${base}/:key`,
        endsAccess: true,
        summary: 'Delete a publishable key',
        description:
          'Like disabling it, but permanent. A key of the agent’s settings is removed there.',
        response: DeletedPublishableKey,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param }) => {
        const { agent, key } = findTarget(param);
        await deleteKey(services, agent, key);
        return { type: 'publishable_key_deleted' as const, key: key.key };
      },
    ),
  ];

  function findTarget(param: CallParam) {
    const agent = findAgent(services, param('id'));
    return { agent, key: findKey(agent, param('key')) };
  }
}

function checkOrigins(agent: Agent, settings: KeySettings): void {
  const disallowed = originsBeyondPolicy([settings], agent.embed);
  if (disallowed.length === 0) return;
  throw invalid(
    disallowed.map(([, ...path]) => ({
      pointer: `/${path.join('/')}`,
      message: 'is not among the origins of the embed policy',
    })),
  );
}

/**
 * Checks that all models of the agent have a price. Without a price, the spend of a key's visitors
 * cannot be limited.
 */
function checkPrices({ config }: Services, agent: Agent): void {
  const [unpriced] = unpricedModels({ ...agent, publishable_keys: [null] }, config.prices);
  if (!unpriced) return;
  const message = `This agent can have no publishable key: its \`${unpriced.path.join('.')}\` ${unpriced.message}.`;
  throw new ApiError('CONFLICT', message);
}
