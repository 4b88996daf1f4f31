import type { CatalogueModel, UpstreamProvider } from '../config/models.ts';
import type { Family } from '../gateway/families.ts';
import { selectProviders } from '../model-service/select-providers.ts';
import { ApiError } from '../problems/api-error.ts';

/** A provider of a model, as the upstream of a family of compatible APIs. */
export interface FamilyProvider {
  readonly family: Family;
  /** Name of the model at the provider. */
  readonly model: string;
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
