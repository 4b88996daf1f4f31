import type { Context } from 'hono';
import type { BackendCaller } from '../auth/caller.ts';
import type { AppEnv } from '../http/env.ts';
import { type RouteDescription, routeName } from '../http/route.ts';
import { sourceOf } from '../http/source.ts';
import type { Services } from '../services.ts';
import { audited } from './audit.ts';

/** Paths of the console at which operators read messages and files of users. */
const readPaths: readonly string[] = [
  '/console/api/sessions/:id/events',
  '/console/api/sessions/:id/export',
  '/console/api/files/:id/content',
];

/**
 * Whether requests of a backend to a route are in the audit record: all that change something, and the
 * reading of a conversation by an operator.
 */
export function isAudited({ method, path, unaudited }: RouteDescription): boolean {
  return method === 'get' ? readPaths.includes(path) : unaudited === undefined;
}

/** Returns the name of an API key or an operator in the audit record. */
export function actorOf({ name, keyId, role }: BackendCaller): string {
  return role ? keyId : `key:${name ?? keyId}`;
}

/** Handles a request of an API key, and adds it to the audit record. */
export function auditRequest<Result>(
  services: Services,
  c: Context<AppEnv>,
  caller: BackendCaller,
  description: RouteDescription,
  handle: () => Promise<Result>,
): Promise<Result> {
  return audited(
    services,
    {
      actor: actorOf(caller),
      action:
        description.auditName ?? routeName(description).replace('/console/api/', '/agent/v1/'),
      subject: subjectOf(services, c, description.path),
      request_id: c.get('requestId'),
      source: sourceOf(c, services.config.trusted_proxies),
    },
    handle,
  );
}

/**
 * Returns the path of the resource of a request, below the version of the API and without the operation at
 * its end, such as `agents/agt_1/publishable_keys/pk_1`. An agent has its id, also if the path has its
 * short id.
 */
function subjectOf({ agents }: Services, c: Context<AppEnv>, path: string): string {
  const segments = path.split('/');
  const lastParameter = segments.findLastIndex((segment) => segment.startsWith(':'));
  const end = lastParameter < 0 ? segments.length : lastParameter + 1;
  const values = segments
    .slice(3, end)
    .map((segment) => (segment.startsWith(':') ? (c.req.param(segment.slice(1)) ?? '') : segment));
  if (values[0] === 'agents' && values[1]) values[1] = agents.find(values[1])?.id ?? values[1];
  return values.join('/');
}
