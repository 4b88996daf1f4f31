import type { EmbedPolicy } from './embed-policy.ts';
import type { ModelConfig, ModelPrice } from './model.ts';

type Prices = Readonly<Record<string, ModelPrice>>;

interface WithModels {
  readonly model?: ModelConfig | undefined;
  readonly modes?: readonly { readonly model?: ModelConfig | undefined }[] | undefined;
}

interface LimitedAgent extends WithModels {
  readonly embed: Pick<
    EmbedPolicy,
    'default_budget_cents' | 'max_budget_cents' | 'spend_cents_per_user_per_day'
  > | null;
  readonly publishable_keys: readonly unknown[];
  readonly previous_versions: Readonly<Record<string, WithModels>>;
}

/** A model without a price, with its path in the agent's settings. */
export interface UnpricedModel {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Whether the cost of the model is known. The scripted model is free unless it has a price. */
export function isPriced(model: ModelConfig, prices: Prices): boolean {
  return model.provider === 'scripted' || Object.hasOwn(prices, model.model);
}

/**
 * Finds the models of an agent without a price, if a budget or a publishable key limits the agent's
 * spending: the cost of these models is unknown, so that the limit would have no effect.
 */
export function unpricedModels(agent: LimitedAgent, prices: Prices): UnpricedModel[] {
  const limit = describeLimit(agent);
  if (limit === null) return [];
  const versions: [readonly string[], WithModels][] = [
    [[], agent],
    ...Object.entries(agent.previous_versions).map(([name, version]): [string[], WithModels] => [
      ['previous_versions', name],
      version,
    ]),
  ];
  return versions.flatMap(([path, version]) =>
    modelsOf(version).flatMap((entry) =>
      isPriced(entry.model, prices)
        ? []
        : [{ path: [...path, ...entry.path], message: explain(entry.model, limit) }],
    ),
  );
}

function describeLimit({ embed, publishable_keys }: LimitedAgent): string | null {
  if (publishable_keys.length > 0) return 'the daily budget of its publishable keys';
  const budget =
    embed?.default_budget_cents ?? embed?.max_budget_cents ?? embed?.spend_cents_per_user_per_day;
  return typeof budget === 'number' ? 'the budget of its embed policy' : null;
}

function modelsOf({ model, modes = [] }: WithModels) {
  return [
    ...(model ? [{ path: ['model'], model }] : []),
    ...modes.flatMap((mode, index) =>
      mode.model ? [{ path: ['modes', index, 'model'], model: mode.model }] : [],
    ),
  ];
}

function explain(model: ModelConfig, limit: string): string {
  const name = 'model' in model ? model.model : model.provider;
  return `is \`${name}\`, which has no price, so that ${limit} would never be reached. Add \`${name}\` to \`prices\` of the configuration, with 0 for a model that costs nothing`;
}
