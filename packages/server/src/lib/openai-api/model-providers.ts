import type { ModelApi } from '@inlay/protocol';
import type { Config } from '../config/config.ts';
import type { CatalogueModel, UpstreamProvider } from '../config/models.ts';
import { findModel } from '../model-api/catalogue.ts';
import { selectProviders } from '../model-api/select-providers.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Family } from '../upstreams/families.ts';

/** A provider of a model, as the upstream of a family of compatible APIs. */
export interface FamilyProvider {
  readonly family: Family;
  /** Name of the model at the provider. */
  readonly model: string;
}

/**
 * Finds the model of a request in the catalogue. Returns null if the request goes to the upstream of
 * the family, because the model is not in the catalogue, or none is named.
 *
 * @throws ApiError `MODEL_PROTOCOL_NOT_OFFERED`; `MODEL_NOT_FOUND` for an unknown model of a family
 *   without an upstream, if other models of the catalogue offer the endpoint. Otherwise, the family
 *   does not have the endpoint.
 */
export function findListedModel(
  { models, prices }: Pick<Config, 'models' | 'prices'>,
  { upstream }: Family,
  id: string | null | undefined,
  api: ModelApi,
): CatalogueModel | null {
  if (id == null) return null;
  const isListed = models.some((model) => model.id === id);
  const isOffered = models.some((model) => model.supported_apis.includes(api));
  return isListed || (!upstream && isOffered) ? findModel({ models, prices }, id, api) : null;
}

/**
 * Returns the OpenAI-compatible providers of a model as upstreams of a family, in the order in which
 * to try them.
 *
 * @throws ApiError `MODEL_PROTOCOL_LINE_UNAVAILABLE` if there is none.
 */
export function modelProviders(model: CatalogueModel, family: Family): FamilyProvider[] {
  const providers = selectProviders(model, {}, null).filter(
    (provider): provider is UpstreamProvider => provider.provider === 'openai-compatible',
  );
  if (providers.length === 0) {
    throw new ApiError(
      'MODEL_PROTOCOL_LINE_UNAVAILABLE',
      `No provider of \`${model.id}\` offers this endpoint. Choose another model.`,
    );
  }
  return providers.map((provider) => ({
    family: {
      ...family,
      upstream: { ...provider, first_byte_timeout_ms: provider.first_event_timeout_ms },
    },
    model: provider.model,
  }));
}
