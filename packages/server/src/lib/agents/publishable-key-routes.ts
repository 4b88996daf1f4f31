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
type Param = Pick<Call<RouteDescription>, 'param'>;

/** Keys for visitors, as the host's backend makes and ends them: an extension of the interface. */
export function publishableKeyRoutes(services: Services): Route[] {
  const { clock } = services;
  const shared = {
    audience: 'backend',
    tag: 'Publishable keys',
    answer: PublishableKeyResource,
    problems: ['NOT_FOUND'],
  } as const;

  return [
    route(
      {
        ...shared,
        method: 'get',
        path: base,
        summary: 'List the publishable keys of an agent',
        answer: PublishableKeyList,
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
        summary: 'Make a publishable key',
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
        description: 'What is left out stays. A key of the agent’s settings is changed there.',
        body: UpdateKeyRequest,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param, body }) => {
        const { agent, key } = target({ param });
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
          'Answers with the new key, which has the same settings. The old one goes on for `overlap_seconds` (a day), so that pages can change over; then it ends, and with it the tokens that it gave.',
        body: RotateKeyRequest,
      },
      async ({ param, body }) => {
        const { agent, key } = target({ param });
        const made = await rotateKey(services, agent, key, body.overlap_seconds);
        return toKeyResource(agent, made, clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:key/disable`,
        lane: 'stop',
        summary: 'Disable a publishable key',
        description:
          'It gives no more tokens. Those that it gave are revoked, and their streams end with `EMBED_TOKEN_REVOKED`.',
      },
      async ({ param }) => {
        const { agent, key } = target({ param });
        const after = await setKeyDisabled(services, agent, key, true);
        return toKeyResource(agent, after, clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:key/enable`,
        summary: 'Enable a publishable key that was disabled',
        description: 'It gives tokens again. Old ones stay revoked.',
      },
      async ({ param }) => {
        const { agent, key } = target({ param });
        const after = await setKeyDisabled(services, agent, key, false);
        return toKeyResource(agent, after, clock.now());
      },
    ),

    route(
      {
        ...shared,
        method: 'delete',
        path: `${base}/:key`,
        lane: 'stop',
        summary: 'Delete a publishable key',
        description: 'As disabling it, for good. A key of the agent’s settings is taken out there.',
        answer: DeletedPublishableKey,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param }) => {
        const { agent, key } = target({ param });
        await deleteKey(services, agent, key);
        return { type: 'publishable_key_deleted' as const, key: key.key };
      },
    ),
  ];

  function target({ param }: Param) {
    const agent = findAgent(services, param('id'));
    return { agent, key: findKey(agent, param('key')) };
  }
}

function checkOrigins(agent: Agent, settings: KeySettings): void {
  const beyond = originsBeyondPolicy([settings], agent.embed);
  if (beyond.length === 0) return;
  throw invalid(
    beyond.map(([, ...place]) => ({
      pointer: `/${place.join('/')}`,
      message: 'is not among the origins of the embed policy',
    })),
  );
}

/** A key caps what is spent, which takes models that have a price. */
function checkPrices({ config }: Services, agent: Agent): void {
  const [unpriced] = unpricedModels({ ...agent, publishable_keys: [null] }, config.prices);
  if (!unpriced) return;
  const message = `This agent can have no publishable key: its \`${unpriced.path.join('.')}\` ${unpriced.message}.`;
  throw new ApiError('CONFLICT', message);
}
