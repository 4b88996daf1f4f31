import type { FieldError } from '@inlay/protocol';
import { ZodError } from 'zod';
import { unpricedModels } from '../config/unpriced-models.ts';
import { invalid, toFieldError } from '../http/validate.ts';
import type { Services } from '../services.ts';
import type { Agent } from './agent.ts';
import type { Overrides } from './merge-overrides.ts';

/** Says what the settings' own rules refuse as a 400 with a pointer for each field. */
export async function explained<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    throw invalid(error.issues.map((issue) => toFieldError(issue)));
  }
}

/** Checks what no schema of one agent's settings can know. Throws a 400 with every field. */
export function checkAgent(services: Services, changes: Overrides, after: Agent): void {
  const errors = [
    ...unknownFunctions(changes, after),
    ...takenKeys(services, after),
    ...strangeModelKeys(services, after),
    ...modelsWithoutPrice(services, after),
  ];
  if (errors.length > 0) throw invalid(errors);
}

/** A function is code, and code comes from the configuration file alone. */
function unknownFunctions({ tools }: Overrides, after: Agent): FieldError[] {
  if (!Array.isArray(tools)) return [];
  const known = new Set(after.tools.map(({ name }) => name));
  return tools.flatMap((tool: { name?: unknown }, index) =>
    known.has(String(tool.name))
      ? []
      : [
          {
            pointer: `/tools/${index}/name`,
            message: 'is no function tool of the configuration file; declare it there first',
          },
        ],
  );
}

function takenKeys({ agents }: Services, after: Agent): FieldError[] {
  return after.publishable_keys.flatMap(({ key }, index) => {
    const isOthers = agents
      .list()
      .some((agent) => agent.id !== after.id && agent.keys.some((other) => other.key === key));
    const isTwice = after.publishable_keys.findIndex((other) => other.key === key) !== index;
    if (!isOthers && !isTwice) return [];
    return [{ pointer: `/publishable_keys/${index}/key`, message: 'is taken already' }];
  });
}

/** Prices stand in the configuration file alone. */
function modelsWithoutPrice({ config }: Services, after: Agent): FieldError[] {
  const bounded = { ...after, publishable_keys: after.keys };
  return unpricedModels(bounded, config.prices).map(({ path, message }) => ({
    pointer: `/${path.join('/')}`,
    message,
  }));
}

/**
 * A secret of the environment is sent only to an address that the file sends it to. Otherwise whoever
 * has an API key could have any variable of this process sent anywhere.
 */
function strangeModelKeys({ config }: Services, after: Agent): FieldError[] {
  const pair = (place: { base_url: string; api_key_env?: string | undefined }) =>
    `${place.api_key_env} ${place.base_url}`;
  const known = new Set(
    config.agents.flatMap((agent) =>
      modelsOf(agent).flatMap(({ model }) => ('base_url' in model ? [pair(model)] : [])),
    ),
  );
  return modelsOf(after).flatMap(({ pointer, model }) =>
    !('base_url' in model) || model.api_key_env === undefined || known.has(pair(model))
      ? []
      : [
          {
            pointer: `${pointer}/api_key_env`,
            message:
              'is not used with this base_url in the configuration file; name the two together there first',
          },
        ],
  );
}

function modelsOf({ model, modes }: Pick<Agent, 'model' | 'modes'>) {
  return [
    { pointer: '/model', model },
    ...modes.flatMap((mode, index) =>
      mode.model ? [{ pointer: `/modes/${index}/model`, model: mode.model }] : [],
    ),
  ];
}
