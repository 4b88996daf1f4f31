import type { ProviderPreferences } from '@inlay/protocol';
import type { CatalogueModel, ModelProvider } from '../config/models.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';

/**
 * Returns the providers of a model, in the order in which to try them.
 *
 * The caller's upstream key is sent only to the providers that the caller names, because other
 * providers must not see it. The caller may omit the name if only one provider accepts keys of
 * callers.
 *
 * @throws ApiError `PROVIDER_SELECTION_NOT_ALLOWED` if providers are named without a key of the
 *   caller; `VALIDATION_ERROR` for an unknown name; `MODEL_PROTOCOL_LINE_UNAVAILABLE` if no
 *   provider is in service.
 */
export function selectProviders(
  model: CatalogueModel,
  { order, only }: ProviderPreferences,
  callerKey: string | null,
): ModelProvider[] {
  if (callerKey === null && (order ?? only) !== undefined) {
    throw new ApiError(
      'PROVIDER_SELECTION_NOT_ALLOWED',
      '`provider.order` and `provider.only` need an upstream key of your own, in `X-Upstream-Api-Key`.',
    );
  }
  const named = callerKey === null ? model.providers : namedProviders(model, { order, only });
  const available = named.filter(({ enabled }) => enabled);
  if (available.length === 0) {
    throw new ApiError(
      'MODEL_PROTOCOL_LINE_UNAVAILABLE',
      `No provider of \`${model.id}\` is in service. Retry later, or choose another model.`,
    );
  }
  return available;
}

function namedProviders(
  model: CatalogueModel,
  { order, only }: ProviderPreferences,
): ModelProvider[] {
  const accepting = model.providers.filter(
    (provider) => provider.provider === 'openai-compatible' && provider.caller_keys,
  );
  const names = accepting.map(({ name }) => name);
  for (const [list, field] of [
    [order, 'order'],
    [only, 'only'],
  ] as const) {
    const index = list?.findIndex((name) => !names.includes(name)) ?? -1;
    if (index === -1) continue;
    throw invalidField(
      `/provider/${field}/${index}`,
      `must be a provider of \`${model.id}\` that accepts keys of callers: ${names.join(', ') || 'there is none'}`,
    );
  }
  if (!order && !only) {
    if (accepting.length === 1) return accepting;
    throw invalidField(
      '/provider/only',
      `must name the provider that \`X-Upstream-Api-Key\` belongs to: ${names.join(', ') || 'the model has none that accepts keys of callers'}`,
    );
  }
  const chosen = (order ?? names).filter((name) => only?.includes(name) ?? true);
  const rest = only?.filter((name) => !chosen.includes(name)) ?? [];
  return [...chosen, ...rest].flatMap((name) => accepting.filter((entry) => entry.name === name));
}
