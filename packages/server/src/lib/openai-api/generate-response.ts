import { readCount } from '../agent-models/openai/read-chunk.ts';
import type { CatalogueModel } from '../config/models.ts';
import { fieldsOf } from '../json.ts';
import { requireFormat, requireThinking } from '../model-api/check-request.ts';
import { estimateBody } from '../model-api/completion-usage.ts';
import {
  type AdmittedRequest,
  admitToModel,
  admitToQueue,
  type LimitServices,
  type RequestEstimate,
  reserveForModel,
} from '../model-api/model-limits.ts';
import type { AttemptError } from '../model-api/router-report.ts';
import { allFailed, attemptErrorOf, isRejection, readError } from '../model-api/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Family } from '../upstreams/families.ts';
import { readText, type UpstreamResponse } from '../upstreams/forward.ts';
import { callUpstream, requireUpstream } from '../upstreams/upstream.ts';
import { type FamilyProvider, findListedModel, modelProviders } from './model-providers.ts';
import type { ResponseRequest } from './response-request.ts';

type ModelServices = LimitServices & Pick<ServiceOptions, 'secret'>;

/** The model of a response, and the providers that can generate it. */
export interface ResponseModel {
  /** The model in the catalogue; null for a model that is not in the catalogue. */
  readonly listed: CatalogueModel | null;
  /** At least one provider, in the order in which they are tried. */
  readonly providers: readonly FamilyProvider[];
}

/** A response of a provider whose headers have arrived. */
export interface GeneratedResponse {
  readonly response: UpstreamResponse;
  /** The credential that the upstream got. */
  readonly key: string;
  /**
   * Whether `settle` has an effect and needs `outputEstimate`. False for a model that is not in the
   * catalogue.
   */
  readonly isCounted: boolean;
  /**
   * Counts the tokens and the cost against the limits and the budget of the model. Must be called after
   * a response with status 200. Only the first call has an effect.
   *
   * @param usage The `usage` of the response. Missing counts are estimated.
   * @param outputEstimate Estimated tokens of the output.
   */
  settle(usage: unknown, outputEstimate: number): Promise<void>;
}

/**
 * Finds the model of a response, and checks the members that depend on the model. Requests for a
 * model that is not in the catalogue are forwarded to the upstream of `family`.
 *
 * @throws ApiError `MODEL_NOT_FOUND` or `MODEL_PROTOCOL_NOT_OFFERED`; `thinking_disable_unsupported`
 *   or `validation_error` for what the model does not support; `MODEL_PROTOCOL_LINE_UNAVAILABLE` if
 *   no provider is in service; `not_implemented` without an upstream.
 */
export function findResponseModel(
  services: Pick<ModelServices, 'config' | 'secret'>,
  family: Family,
  { model: id, reasoning, text }: ResponseRequest,
): ResponseModel {
  const { config } = services;
  const listed = findListedModel(config, family, id, 'responses');
  if (!listed) {
    requireUpstream(services, family);
    return { listed, providers: [{ family, model: id }] };
  }
  requireThinking(listed, reasoning?.effort, 'reasoning.effort');
  requireFormat(listed, text?.format?.type, ['text', 'format']);
  return { listed, providers: modelProviders(listed, family) };
}

/**
 * Checks a request against the limits of its model, counts it, and reserves its cost. A model that is not
 * in the catalogue has no limits.
 *
 * @param body The body for the upstream.
 * @returns For `generateResponse`; null for a model that is not in the catalogue.
 * @throws ApiError `QUOTA_EXHAUSTED`, or `RATE_LIMITED` with the scope `model`.
 */
export async function admitResponseRequest(
  services: ModelServices,
  { listed }: ResponseModel,
  body: object,
): Promise<AdmittedRequest | null> {
  return listed && admitToModel(services, listed, estimateOf(body));
}

/** As `admitResponseRequest`, for a response that is queued. Reserves no cost. */
export async function admitQueuedResponse(
  services: ModelServices,
  { listed }: ResponseModel,
  body: object,
): Promise<void> {
  if (listed) await admitToQueue(services, listed, estimateBody(body));
}

/**
 * Reserves the cost of a response that was queued.
 *
 * @throws BudgetReservedError | ApiError `QUOTA_EXHAUSTED`
 */
export async function reserveQueuedResponse(
  services: ModelServices,
  { listed }: ResponseModel,
  body: object,
): Promise<AdmittedRequest | null> {
  return listed && reserveForModel(services, listed, estimateOf(body));
}

function estimateOf(body: object): RequestEstimate {
  return {
    inputTokens: estimateBody(body),
    outputLimit: readCount(fieldsOf(body).max_output_tokens) ?? null,
  };
}

/**
 * Sends an admitted request to the providers of its model until one responds. A request that is aborted
 * before the response costs its estimated input; a request that fails costs nothing.
 *
 * @returns The response. An error response of a model of the catalogue means that every provider would
 *   reject the request.
 * @throws ApiError `provider_unavailable` or another problem of `allFailed` if all providers fail.
 */
export async function generateResponse(
  services: ModelServices,
  { listed, providers }: ResponseModel,
  {
    admitted,
    body,
    headers,
    signal,
  }: {
    admitted: AdmittedRequest | null;
    body: object;
    headers: Headers;
    signal: AbortSignal;
  },
): Promise<GeneratedResponse> {
  const settle = createSettle(admitted, body);
  const errors: AttemptError[] = [];
  let retryAfter: number | undefined;
  try {
    for (const { family, model } of providers) {
      const upstream = requireUpstream(services, family);
      const isSent = !signal.aborted;
      try {
        const response = await callUpstream(services, upstream, {
          path: '/responses',
          headers,
          body: { ...body, model },
          signal,
          maximumBytes: services.config.limits.request.model_response_bytes,
        });
        const { status } = response;
        if (!listed || status === 200 || isRejection(status)) {
          if (status !== 200) await admitted?.release();
          return {
            response,
            key: upstream.key,
            isCounted: listed !== null,
            settle,
          };
        }
        services.log.warn('upstream responded with an error', { family: family.name, status });
        const text = await readText(response).catch(() => '');
        const error = readError(status, response.headers, text, upstream.key);
        errors.push(attemptErrorOf(error));
        retryAfter ??= status === 429 ? error.retryAfter : undefined;
      } catch (error) {
        // The provider may have processed the request.
        if (isSent && signal.aborted) await settle(null, 0);
        if (!listed || signal.aborted || !(error instanceof ApiError)) throw error;
        errors.push(error.code === 'UPSTREAM_TIMEOUT' ? 'timeout' : 'network');
      }
    }
    throw allFailed(errors, retryAfter);
  } catch (error) {
    await admitted?.release();
    throw error;
  }
}

function createSettle(admitted: AdmittedRequest | null, body: object): GeneratedResponse['settle'] {
  if (!admitted) return async () => {};
  const estimate = estimateBody(body);
  return async (usage, outputEstimate) => {
    const { input_tokens, output_tokens } = fieldsOf(usage);
    const inputTokens = readCount(input_tokens);
    const outputTokens = readCount(output_tokens);
    await admitted.settle({
      inputTokens: inputTokens ?? estimate,
      outputTokens: outputTokens ?? outputEstimate,
      estimated: inputTokens === undefined || outputTokens === undefined,
    });
  };
}
