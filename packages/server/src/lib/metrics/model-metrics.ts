import { Histogram, type OpenMetricsContentType, type Registry } from 'prom-client';
import type { ModelUsage } from '../agent-models/model.ts';
import type { ModelConfig } from '../config/model.ts';

/** A call of a language model. Times are in milliseconds. */
export interface ObservedModelCall {
  readonly model: ModelConfig;
  readonly usage: ModelUsage;
  readonly ms: number;
  /** Time until the first part of the answer; null without one. */
  readonly firstChunkMs: number | null;
  /** Kind of the error; null without one. */
  readonly error: string | null;
}

const labelNames = [
  'gen_ai_operation_name',
  'gen_ai_provider_name',
  'gen_ai_request_model',
] as const;

/** Buckets of the OpenTelemetry conventions: powers of 2 from 10 ms, and powers of 4 from one token. */
const secondBuckets = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power);

/**
 * The metrics of model calls, named as the OpenTelemetry conventions for generative AI name them
 * (https://github.com/open-telemetry/semantic-conventions-genai), with underscores as in Prometheus.
 *
 * @param modelLabel Bounds the number of model names.
 */
export function modelMetrics(
  registers: Registry<OpenMetricsContentType>[],
  modelLabel: (name: string) => string,
) {
  const duration = new Histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Duration of model calls.',
    labelNames: [...labelNames, 'error_type'],
    buckets: secondBuckets,
    registers,
  });
  const firstChunk = new Histogram({
    name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
    help: 'Time from the start of a model call to the first part of its answer.',
    labelNames,
    buckets: secondBuckets,
    registers,
  });
  const tokens = new Histogram({
    name: 'gen_ai_client_token_usage',
    help: 'Tokens of a model call.',
    labelNames: [...labelNames, 'gen_ai_token_type'],
    buckets: tokenBuckets,
    registers,
  });
  return {
    count({ model, usage, ms, firstChunkMs, error }: ObservedModelCall) {
      const labels = {
        gen_ai_operation_name: 'chat',
        gen_ai_provider_name: model.provider,
        gen_ai_request_model: modelLabel('model' in model ? model.model : model.provider),
      };
      duration.observe({ ...labels, error_type: error ?? '' }, ms / 1000);
      if (firstChunkMs !== null) firstChunk.observe(labels, firstChunkMs / 1000);
      tokens.observe({ ...labels, gen_ai_token_type: 'input' }, usage.inputTokens);
      tokens.observe({ ...labels, gen_ai_token_type: 'output' }, usage.outputTokens);
    },
  };
}
