import type { ModelApi, ModelResource } from '@inlay/protocol';
import type { Config } from '../config/config.ts';
import type { CatalogueModel } from '../config/models.ts';
import { ApiError } from '../problems/api-error.ts';

type Catalogue = Pick<Config, 'models' | 'prices'>;

/** Cents per unit of the currency, such as a dollar. */
export const centsPerUnit = 100;

/** Returns the models for `GET /model/v1/models`, in the order of the configuration. */
export function listModels({ models, prices }: Catalogue): ModelResource[] {
  return models.map((model) => {
    const price = prices[model.id];
    const inUnits = (cents: number | undefined) =>
      cents === undefined ? null : cents / centsPerUnit;
    return {
      id: model.id,
      object: 'model',
      name: model.name ?? model.id,
      description: model.description,
      supported_apis: [...model.supported_apis],
      supported_parameters: model.supported_parameters,
      context_length: model.context_length,
      pricing: {
        input_per_million: inUnits(price?.input_cents_per_million),
        output_per_million: inUnits(price?.output_cents_per_million),
        video_second: inUnits(price?.video_second_cents),
      },
      rate_limits: {
        requests_per_minute: model.requests_per_minute,
        tokens_per_minute: model.tokens_per_minute,
      },
    };
  });
}

/**
 * Finds a model that offers a protocol.
 *
 * @throws ApiError `MODEL_NOT_FOUND` or `MODEL_PROTOCOL_NOT_OFFERED`.
 */
export function findModel({ models }: Catalogue, id: string, api: ModelApi): CatalogueModel {
  const model = models.find((candidate) => candidate.id === id);
  if (!model) {
    throw new ApiError(
      'MODEL_NOT_FOUND',
      `There is no model \`${id}\`. \`GET /model/v1/models\` lists them.`,
      { param: 'model' },
    );
  }
  if (!model.supported_apis.includes(api)) {
    throw new ApiError(
      'MODEL_PROTOCOL_NOT_OFFERED',
      `The model \`${id}\` does not offer \`${api}\`, but ${model.supported_apis.map((name) => `\`${name}\``).join(', ')}.`,
      { param: 'model' },
    );
  }
  return model;
}
