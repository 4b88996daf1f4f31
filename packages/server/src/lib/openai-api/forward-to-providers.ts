import type { ProblemCode } from '@inlay/protocol';
import type { Context } from 'hono';
import type { CatalogueModel } from '../config/models.ts';
import type { AppEnv } from '../http/env.ts';
import { admitToModel } from '../model-api/model-limits.ts';
import type { AttemptError } from '../model-api/router-report.ts';
import { allFailed, isRejection } from '../model-api/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Family } from '../upstreams/families.ts';
import { type PassThroughOptions, passThrough } from '../upstreams/pass-through.ts';
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
 * @throws ApiError If a limit of the model is exceeded, or a problem of `allFailed` if all providers fail.
 */
export async function forwardToProviders(
  c: Context<AppEnv>,
  services: Services,
  family: Family,
  { model, inputTokens, bodyFor }: ForwardedRequest,
): Promise<Response> {
  const providers = modelProviders(model, family);
  // The price of these models is that of their input.
  const admitted = await admitToModel(services, model, { inputTokens, outputLimit: 0 });
  const settle = () => admitted.settle({ inputTokens, outputTokens: 0, estimated: true });
  const errors: AttemptError[] = [];
  let retryAfter: number | undefined;
  const relays = (status: number) => (status >= 200 && status < 300) || isRejection(status);
  try {
    for (const provider of providers) {
      const body = await bodyFor(provider.model);
      try {
        const options = { ...body, relays, checksJson: true };
        const response = await passThrough(c, services, provider.family, options);
        if (response.ok) await settle();
        return response;
      } catch (error) {
        const isDisconnected = error instanceof ApiError && error.code === 'REQUEST_TIMEOUT';
        // The provider may have processed the request.
        if (isDisconnected) await settle();
        if (isDisconnected || !(error instanceof ApiError)) throw error;
        const attempt = attemptErrors[error.code];
        // A rejection, which every other provider would repeat.
        if (!attempt) throw error;
        errors.push(attempt);
        retryAfter ??= error.extras.retryAfter;
      }
    }
  } finally {
    await admitted.release();
  }
  throw allFailed(errors, retryAfter);
}

/** Why a provider failed, by the code of the error of `passThrough`. */
const attemptErrors: Partial<Record<ProblemCode, AttemptError>> = {
  RATE_LIMITED: 'throttled',
  UPSTREAM_TIMEOUT: 'timeout',
  UPSTREAM_ERROR: 'invalid_response',
  provider_unavailable: 'refused',
};
