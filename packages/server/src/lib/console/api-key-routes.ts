import * as z from 'zod';
import {
  type ApiKey,
  apiKeyId,
  apiKeyName,
  createNamedApiKey,
  defaultOverlap,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../auth/api-keys.ts';
import { isoTime, isoTimeOrNull } from '../clock.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { consoleApi, requireAdmin } from './console-guards.ts';

const base = `${consoleApi}/api_keys`;

const CreateRequest = z.strictObject({
  name: z
    .string()
    .regex(apiKeyName, 'must be one line of 1 to 100 characters, not starting with -'),
});

const RotateRequest = z.strictObject({
  /** Seconds for which the old key still works. */
  overlap_seconds: z.int().min(0).max(9_999_999).default(defaultOverlap),
});

/** Routes with which operators manage API keys, as `inlay-server keys` does. */
export function apiKeyRoutes(services: Services): Route[] {
  const { store } = services;
  const shared = { audience: 'backend', tag: 'Console', response: null } as const;

  return [
    route(
      { ...shared, method: 'get', path: base, summary: 'List API keys, newest first' },
      async ({ caller }) => {
        requireAdmin(caller);
        const stored = (await listApiKeys(store.db)).reverse().map(describe);
        const fromEnvironment = services.apiKeyHashes.map((hash) => ({
          id: apiKeyId(hash),
          name: 'INLAY_API_KEY',
          is_from_environment: true,
          created_at: null,
          ends_at: null,
          last_used_at: null,
        }));
        return { data: [...fromEnvironment, ...stored], next_page: null };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: base,
        summary: 'Create an API key',
        body: CreateRequest,
        auditName: 'keys create',
      },
      ({ body }) => createNamedApiKey(services, body.name),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id/rotate`,
        summary: 'Replace an API key',
        body: RotateRequest,
        auditName: 'keys rotate',
      },
      async ({ param, body }) => ({
        key: await rotateApiKey(services, param('id'), body.overlap_seconds),
      }),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: `${base}/:id/revoke`,
        summary: 'Revoke an API key',
        auditName: 'keys revoke',
      },
      async ({ param }) => {
        await revokeApiKey(services, param('id'));
        return {};
      },
    ),
  ];
}

function describe({ id, name, createdAt, endsAt, lastUsedAt }: ApiKey) {
  return {
    id,
    name,
    is_from_environment: false,
    created_at: isoTime(createdAt),
    ends_at: isoTimeOrNull(endsAt),
    last_used_at: isoTimeOrNull(lastUsedAt),
  };
}
