import * as z from 'zod';
import { isoTime, isoTimeOrNull } from '../clock.ts';
import { type Route, type RouteDescription, route } from '../http/route.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { consoleApi, requireAdmin } from './console-guards.ts';
import {
  changeOperator,
  consoleLink,
  inviteOperator,
  listOperators,
  OperatorRole,
  type OperatorRow,
  resetPassword,
} from './operators.ts';
import { isAdminSecretOf } from './sign-in.ts';

const base = `${consoleApi}/operators`;

const CreateRequest = z.strictObject({ name: z.string(), role: OperatorRole.default('viewer') });
const RoleRequest = z.strictObject({ role: OperatorRole });

/** Routes with which admins manage operators, as `inlay-server operators` does. */
export function operatorRoutes(services: Services): Route[] {
  const shared = { audience: 'backend', tag: 'Console', response: null } as const;
  const describe = (row: OperatorRow) => ({
    name: row.name,
    role: row.role,
    created_at: isoTime(row.created_at),
    disabled_at: isoTimeOrNull(row.disabled_at),
    has_account: services.config.console.oidc !== null && row.subject !== null,
    has_password: row.password_hash !== null || isAdminSecretOf(services, row.name),
  });
  const describeInvitation = ({ operator, link }: Awaited<ReturnType<typeof resetPassword>>) => ({
    name: operator.name,
    link: consoleLink(services.consoleUrl, link),
  });
  const change = (verb: string, summary: string) =>
    ({
      ...shared,
      method: 'post',
      path: `${base}/:name/${verb}`,
      summary,
      auditName: `operators ${verb}`,
    }) as const satisfies RouteDescription;
  /** A link would not work. */
  const requireLinks = () => {
    const { oidc } = services.config.console;
    if (!oidc?.required) return;
    throw new ApiError(
      'CONFLICT',
      `Operators only sign in with ${oidc.label}. The first sign-in creates them, and \`${oidc.role_claim}\` has their role.`,
    );
  };
  const setDisabled = async (name: string, disabled: boolean) =>
    describe(await changeOperator(services, name, { disabled }, { keepAdmin: true }));

  return [
    route(
      { ...shared, method: 'get', path: base, summary: 'List operators by name' },
      async ({ caller }) => {
        requireAdmin(caller);
        return { data: (await listOperators(services.store.db)).map(describe), next_page: null };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: base,
        summary: 'Create an operator, who signs in with a link',
        body: CreateRequest,
        auditName: 'operators create',
      },
      async ({ body }) => {
        requireLinks();
        return describeInvitation(await inviteOperator(services, body));
      },
    ),

    route(change('link', 'Replace the password of an operator by a link'), async ({ param }) => {
      requireLinks();
      return describeInvitation(await resetPassword(services, param('name')));
    }),

    route(
      { ...change('role', 'Change the role of an operator'), body: RoleRequest },
      async ({ param, body }) =>
        describe(await changeOperator(services, param('name'), body, { keepAdmin: true })),
    ),

    route(change('disable', 'Disable an operator'), ({ param }) =>
      setDisabled(param('name'), true),
    ),

    route(change('enable', 'Enable an operator'), ({ param }) => setDisabled(param('name'), false)),
  ];
}
