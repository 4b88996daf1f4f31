import {
  chunkings,
  defaultOptions,
  faults,
  lineEnds,
  quirks,
  type ReplayOptions,
  writings,
} from '../stream/options.ts';

export interface ModelName {
  readonly answer: string;
  readonly options: Partial<ReplayOptions>;
}

/** An invalid option in a model name. */
export class ModelNameError extends Error {
  override readonly name = 'ModelNameError';
}

/**
 * Parses `replay/<answer>` or `replay/<answer>,option=value,…`.
 *
 * @returns Null for other names.
 * @throws {ModelNameError} Names the option and its valid values.
 */
export function readModelName(model: string): ModelName | null {
  const [path = '', ...parts] = model.split(',');
  if (!path.startsWith('replay/')) return null;
  const options: Partial<ReplayOptions> = {};
  for (const part of parts) Object.assign(options, readOption(part));
  return { answer: path.slice('replay/'.length), options };
}

function readOption(part: string): Partial<ReplayOptions> {
  const [key = '', value = ''] = part.split('=', 2);
  switch (key) {
    case 'chunks':
      return { chunks: oneOf(key, value, chunkings) };
    case 'writes':
      return { writes: oneOf(key, value, writings) };
    case 'lines':
      return { lines: oneOf(key, value, lineEnds) };
    case 'quirks':
      return { quirks: value.split('+').map((name) => oneOf(key, name, quirks)) };
    case 'fault':
      return { fault: oneOf(key, value, faults) };
    case 'at':
      return { at: number(key, value, 1) };
    case 'tps':
    case 'ttft':
    case 'tokens':
    case 'seed':
    case 'times':
    case 'retryAfter':
      return { [key]: number(key, value, 2 ** 32) };
    default:
      throw new ModelNameError(
        `unknown option "${key}" in the model name; use one of ${Object.keys(defaultOptions).join(', ')}`,
      );
  }
}

function oneOf<Name extends string>(key: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  if (found) return found;
  throw new ModelNameError(
    `${key} in the model name is "${value}"; use one of ${names.join(', ')}`,
  );
}

function number(key: string, value: string, most: number): number {
  const parsed = Number(value);
  if (value !== '' && parsed >= 0 && parsed <= most) return parsed;
  throw new ModelNameError(
    `${key} in the model name is "${value}"; use a number from 0 to ${most}`,
  );
}
