import { parseArgs } from 'node:util';

/** Frameworks, by the name of their folder in `demo/apps`. */
export const frameworks = {
  'script-tag': 'Plain HTML with a script tag, Express',
  'vite-react': 'React with Vite',
  next: 'Next.js',
  vue: 'Vue with Vite',
  nuxt: 'Nuxt',
  sveltekit: 'SvelteKit',
  angular: 'Angular',
  headless: 'Your own interface, without a framework',
} as const;

/** Languages of a backend. All but Node.js name the ending of a file in `demo/backends`. */
export const backends = {
  node: 'Node.js, in the application',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
} as const;

export const endings = { python: 'py', php: 'php', ruby: 'rb', go: 'go' } as const;

export const signIns = {
  demo: 'Yes: everyone is “ada” until you connect your sessions',
  visitors: 'No: visitors are anonymous',
} as const;

export interface Choices {
  /** Path of the new folder. */
  readonly folder: string;
  readonly framework: keyof typeof frameworks;
  readonly backend: keyof typeof backends;
  readonly signIn: keyof typeof signIns;
}

/** A mistake of the user. The message contains the remedy. */
export class UsageError extends Error {}

/**
 * Reads the arguments of the command.
 *
 * @throws UsageError If an argument is unknown, or has an unknown value.
 */
export function readArguments(args: readonly string[]): Partial<Choices> {
  const { positionals, values } = parse(args);
  if (positionals.length > 1) throw new UsageError(`Name one folder, not ${positionals.length}.`);
  return {
    ...(positionals[0] === undefined ? {} : { folder: positionals[0] }),
    ...chosen('framework', 'framework', frameworks, values.framework),
    ...chosen('backend', 'backend', backends, values.backend),
    ...chosen('signIn', 'sign-in', signIns, values['sign-in']),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { framework: text, backend: text, 'sign-in': text },
    });
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('.');
    throw new UsageError(`${reason}. The options are --framework, --backend and --sign-in.`);
  }
}

function chosen(
  name: keyof Choices,
  option: string,
  values: object,
  value: string | undefined,
): Partial<Choices> {
  if (value === undefined) return {};
  if (Object.hasOwn(values, value)) return { [name]: value };
  const known = Object.keys(values).join(', ');
  throw new UsageError(`--${option} is “${value}”. Use one of ${known}.`);
}
