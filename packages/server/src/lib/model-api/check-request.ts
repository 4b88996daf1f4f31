import type { ChatCompletionRequest } from '@inlay/protocol';
import type { CatalogueModel } from '../config/models.ts';
import { ApiError } from '../problems/api-error.ts';

/** Members that every model supports, or that the server handles without the model. */
const alwaysSupported = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'provider',
  'user',
]);

/**
 * Checks the parts of a request that depend on the model (docs/conformance.md, 7.4).
 *
 * @throws ApiError `thinking_disable_unsupported`, or `validation_error` with the parameter.
 */
export function checkRequest(request: ChatCompletionRequest, model: CatalogueModel): void {
  requireThinking(model, request.reasoning_effort, 'reasoning_effort');
  requireFormat(model, request.response_format?.type, ['response_format']);
  if (!request.provider?.require_parameters || model.supported_parameters === null) return;
  const known = new Set([...alwaysSupported, ...model.supported_parameters]);
  const unknown = Object.entries(request).find(
    ([name, value]) => value !== undefined && value !== null && !known.has(name),
  );
  if (!unknown) return;
  throw unsupported(
    [unknown[0]],
    `The model \`${model.id}\` does not support the parameter \`${unknown[0]}\`. Leave it out, or set \`provider.require_parameters\` to false.`,
  );
}

/**
 * @param effort Effort of the thinking that the request asks for.
 * @param param Name of the member with `effort`, such as `reasoning.effort`.
 * @throws ApiError `thinking_disable_unsupported`
 */
export function requireThinking(
  model: CatalogueModel,
  effort: string | null | undefined,
  param: string,
): void {
  if (effort !== 'none' || model.can_disable_thinking) return;
  throw new ApiError(
    'thinking_disable_unsupported',
    `The model \`${model.id}\` always thinks. Leave \`${param}\` out, or choose another value.`,
    { param },
  );
}

/**
 * @param format Type of the format that the request asks for.
 * @param path Names of the members that lead to the format, such as `text` and `format`.
 * @throws ApiError `validation_error`
 */
export function requireFormat(
  model: CatalogueModel,
  format: string | undefined,
  path: readonly string[],
): void {
  if (format === undefined || model.response_formats.some((known) => known === format)) return;
  const known = model.response_formats.map((name) => `\`${name}\``).join(', ');
  throw unsupported(
    path,
    `The model \`${model.id}\` does not support the response format \`${format}\`, but ${known}.`,
  );
}

function unsupported(path: readonly string[], detail: string): ApiError {
  return new ApiError('validation_error', detail, {
    param: path.join('.'),
    errors: [{ pointer: `/${path.join('/')}`, message: 'is not supported by the model' }],
  });
}
