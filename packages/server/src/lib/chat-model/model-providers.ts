import type { CatalogueModel, UpstreamProvider } from '../config/models.ts';
import type { Family } from '../gateway/families.ts';
import { selectProviders } from '../model-service/select-providers.ts';
import { ApiError } from '../problems/api-error.ts';

/** A provider of a model, as the upstream of a family. */
export interface FamilyProvider {
  readonly family: Family;
  /** The provider's name of the model. */
  readonly model: string;
}

/**
 * Returns the providers of a model that speak the protocols of the family, in their order.
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
