import { parseArgs } from 'node:util';
import { audited, commandOperation, withAudit } from '../audit/audit.ts';
import { isoTime } from '../clock.ts';
import { ConfigError } from '../config/parse-config.ts';
import {
  changeOperator,
  consoleLink,
  inviteOperator,
  listOperators,
  OperatorRole,
  type OperatorRow,
  resetPassword,
} from '../console/operators.ts';
import type { ServiceOptions } from '../service-options.ts';

export const operatorsUsage = `inlay-server operators list
inlay-server operators create <name> [--role viewer|admin]   a viewer by default; prints a sign-in link for a day
inlay-server operators link <name>   replaces the password by a sign-in link, and ends the sessions
inlay-server operators role <name> viewer|admin
inlay-server operators disable <name>
inlay-server operators enable <name>`;

/**
 * Runs `inlay-server operators`, which manages the operators of the console.
 *
 * @param baseUrl Public URL of the platform.
 * @returns The text to print.
 * @throws ConfigError If the arguments are invalid. The message contains the remedy.
 * @throws ApiError If the operator does not exist, or the name is taken or cannot be one.
 */
export async function runOperatorsCommand(
  args: readonly string[],
  given: Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'consoleUrl'>,
): Promise<string> {
  const deps = { ...given, store: withAudit(given.store) };
  const { positionals, role } = readArguments(args);
  const [verb = '', name, value] = positionals;
  const isListing = verb === 'list' && positionals.length === 1;
  const isChange = verb === 'role' ? positionals.length === 3 : positionals.length === 2;
  if ((!isListing && !isChange) || name === '' || (role !== undefined && verb !== 'create')) {
    throw usageError();
  }
  if (name === undefined) return (await listOperators(deps.store.db)).map(describe).join('\n');
  const change = (work: () => Promise<string>) =>
    audited(deps, commandOperation(`operators ${verb}`, `operators/${name.toLowerCase()}`), work);
  switch (verb) {
    case 'create':
      return change(async () =>
        linkOf(await inviteOperator(deps, { name, role: readRole(role ?? 'viewer') })),
      );
    case 'link':
      return change(async () => linkOf(await resetPassword(deps, name)));
    case 'role':
      return change(async () =>
        describe(await changeOperator(deps, name, { role: readRole(value) })),
      );
    case 'disable':
    case 'enable':
      return change(async () =>
        describe(await changeOperator(deps, name, { disabled: verb === 'disable' })),
      );
    default:
      throw usageError();
  }

  function linkOf({ operator, link }: Awaited<ReturnType<typeof resetPassword>>): string {
    return `Sign-in link of ${operator.name}, valid once in the next 24 hours: ${consoleLink(deps.consoleUrl, link)}`;
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { role: { type: 'string' } },
    });
    return { positionals, role: values.role };
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

function readRole(value: string | undefined) {
  const role = OperatorRole.safeParse(value);
  if (role.success) return role.data;
  throw new ConfigError(`The role is \`viewer\` or \`admin\`; it is \`${value}\`.`);
}

function describe({ name, role, created_at, disabled_at, password_hash }: OperatorRow): string {
  const state =
    disabled_at !== null ? 'disabled' : password_hash === null ? 'without a password' : 'active';
  return `${name}  ${role}  created ${isoTime(created_at)}  ${state}`;
}

function usageError(): ConfigError {
  return new ConfigError(`Usage:\n${operatorsUsage}`);
}
