import type { Context } from 'hono';
import type { CatalogueModel } from '../config/models.ts';
import type { Family } from '../gateway/families.ts';
import { type PassThroughOptions, passThrough } from '../gateway/pass-through.ts';
import type { AppEnv } from '../http/env.ts';
import { admitToModel } from '../model-service/model-limits.ts';
import { isRejection } from '../model-service/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { modelProviders } from './model-providers.ts';

interface ForwardedRequest {
  readonly model: CatalogueModel;
  /** Estimated tokens of the request, for the limits of the model. */
  readonly inputTokens: number;
  /** Returns the body with the provider's name of the model. */
  readonly bodyFor: (model: string) => Promise<Pick<PassThroughOptions, 'sent' | 'contentType'>>;
}

/**
 * Forwards a request for a model of the catalogue to the providers of the model, in order, until one
 * responds or rejects the request. A failed or rejected request costs nothing.
 *
 * @throws ApiError If a limit of the model is exceeded, or the last provider fails.
 */
export async function forwardToProviders(
  c: Context<AppEnv>,
  services: Services,
  family: Family,
  { model, inputTokens, bodyFor }: ForwardedRequest,
): Promise<Response> {
  const providers = modelProviders(model, family);
  const admitted = await admitToModel(services, model, inputTokens);
  const settle = () => admitted.settle({ inputTokens, outputTokens: 0, estimated: true });
  /** The 429 of a provider, which is returned if all others fail (service reference, section 8.3.4). */
  let throttled: ApiError | undefined;
  for (const provider of providers) {
    const body = await bodyFor(provider.model);
    const isLast = provider === providers.at(-1);
    let isFinal = isLast && !throttled;
    const relays = (status: number) => {
      isFinal ||= (status >= 200 && status < 300) || isRejection(status);
      isFinal ||= isLast && status === 429;
      return isFinal;
    };
    try {
      const response = await passThrough(c, services, provider.family, { ...body, relays });
      if (response.ok) await settle();
      return response;
    } catch (error) {
      const isDisconnected = error instanceof ApiError && error.code === 'REQUEST_TIMEOUT';
      // The provider may have processed the request.
      if (isDisconnected) await settle();
      if (isFinal || isDisconnected || !(error instanceof ApiError)) throw error;
      if (error.code === 'RATE_LIMITED') throttled ??= error;
    }
  }
  throw throttled ?? new Error('a model has at least one provider');
}
