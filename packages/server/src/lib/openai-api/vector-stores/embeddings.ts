import { estimateTokens } from '../../agent-models/estimate-usage.ts';
import type { CatalogueModel } from '../../config/models.ts';
import { fieldsOf } from '../../json.ts';
import { admitToModel, type LimitServices } from '../../model-api/model-limits.ts';
import { ApiError } from '../../problems/api-error.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { Family } from '../../upstreams/families.ts';
import {
  callUpstream,
  readJsonObject,
  requireUpstream,
  unusable,
} from '../../upstreams/upstream.ts';
import { modelProviders } from '../model-providers.ts';

export type EmbeddingServices = LimitServices & Pick<ServiceOptions, 'secret'>;

/** Maximum components of a vector. Models have up to a few thousand. */
const maximumDimensions = 16_384;
/** Bytes of a component of a vector. */
const componentBytes = 4;

/**
 * Returns the model that embeds texts: the configured one, or else the first model of the catalogue
 * that offers embeddings. Null if there is none: searches then use the full text only.
 */
export function embeddingModel({ config }: Pick<ServiceOptions, 'config'>): CatalogueModel | null {
  const id = config.vector_stores.embedding_model;
  if (id === null) return null;
  const offers = config.models.filter((model) => model.supported_apis.includes('embeddings'));
  return offers.find((model) => id === undefined || model.id === id) ?? null;
}

/**
 * Embeds texts with the providers of a model, in order, until one responds. The texts count against
 * the limits and the budget of the model. A call that is aborted counts with its estimated tokens.
 *
 * @returns A vector of length 1 for each text.
 * @throws ApiError If a limit of the model is reached, or no provider responds.
 */
export async function embedTexts(
  services: EmbeddingServices,
  family: Family,
  {
    model,
    texts,
    signal,
  }: { model: CatalogueModel; texts: readonly string[]; signal: AbortSignal },
): Promise<Float32Array[]> {
  const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const admitted = await admitToModel(services, model, { inputTokens: estimate, outputLimit: 0 });
  const settle = (tokens: unknown) => {
    const isReported = typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0;
    const inputTokens = isReported ? tokens : estimate;
    return admitted.settle({ inputTokens, outputTokens: 0, estimated: !isReported });
  };
  let failure: ApiError | undefined;
  try {
    for (const provider of modelProviders(model, family)) {
      const isSent = !signal.aborted;
      try {
        const body = { model: provider.model, input: texts, encoding_format: 'float' };
        const response = await callUpstream(services, requireUpstream(services, provider.family), {
          path: '/embeddings',
          headers: new Headers(),
          body,
          signal,
          maximumBytes: services.config.limits.request.model_response_bytes,
        });
        if (response.status !== 200) {
          response.close();
          throw new ApiError(
            response.status === 429 ? 'RATE_LIMITED' : 'UPSTREAM_ERROR',
            `The provider of the embedding model responded with status ${response.status}.`,
          );
        }
        const result = await readJsonObject(response);
        const vectors = vectorsOf(result, texts.length);
        await settle(fieldsOf(result.usage).prompt_tokens);
        return vectors;
      } catch (error) {
        // The provider may have processed the request.
        if (isSent && signal.aborted) await settle(null);
        if (!(error instanceof ApiError) || signal.aborted) throw error;
        failure = error;
      }
    }
  } finally {
    await admitted.release();
  }
  throw failure ?? new Error('a model has at least one provider');
}

/** @throws ApiError `UPSTREAM_ERROR` unless the response has a usable vector for each text. */
function vectorsOf({ data }: Readonly<Record<string, unknown>>, count: number): Float32Array[] {
  if (!Array.isArray(data) || data.length !== count) throw unusable();
  const vectors: Float32Array[] = [];
  for (const [position, entry] of data.entries()) {
    const { index, embedding } = fieldsOf(entry);
    if (!Array.isArray(embedding) || embedding.length === 0) throw unusable();
    if (embedding.length > maximumDimensions) throw unusable();
    vectors[typeof index === 'number' ? index : position] = toUnit(Float32Array.from(embedding));
  }
  const isComplete = vectors.length === count && Object.keys(vectors).length === count;
  if (!isComplete || vectors.some((vector) => !vector.every(Number.isFinite))) throw unusable();
  return vectors;
}

/** Scales a vector to the length 1, so that the product of two vectors is their cosine. */
function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Converts a vector to the bytes that are stored. */
export function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * componentBytes);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * componentBytes);
  });
  return bytes;
}

/**
 * Returns the cosine of a vector and stored bytes; 0 if they have different lengths.
 *
 * @param stored As the database engine returns it: `libsql` returns an `ArrayBuffer`, `pg` a `Buffer`.
 */
export function cosine(vector: Float32Array, stored: Uint8Array | ArrayBuffer): number {
  if (stored.byteLength !== vector.length * componentBytes) return 0;
  const view = ArrayBuffer.isView(stored)
    ? new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
    : new DataView(stored);
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += (vector[index] ?? 0) * view.getFloat32(index * componentBytes, true);
  }
  return sum;
}
