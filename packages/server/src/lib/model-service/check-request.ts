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
 * Checks the parts of a request that depend on the model (service reference, section 7.4).
 *
 * @throws ApiError `thinking_disable_unsupported`, or `validation_error` with the parameter.
 */
export function checkRequest(request: ChatCompletionRequest, model: CatalogueModel): void {
  if (request.reasoning_effort === 'none' && !model.can_disable_thinking) {
    throw new ApiError(
      'thinking_disable_unsupported',
      `The model \`${model.id}\` always thinks. Leave \`reasoning_effort\` out, or choose another value.`,
      { param: 'reasoning_effort' },
    );
  }
  const format = request.response_format?.type;
  if (format !== undefined && !model.response_formats.some((known) => known === format)) {
    const known = model.response_formats.map((name) => `\`${name}\``).join(', ');
    throw unsupported(
      'response_format',
      `The model \`${model.id}\` does not support the response format \`${format}\`, but ${known}.`,
    );
  }
  if (!request.provider?.require_parameters || model.supported_parameters === null) return;
  const known = new Set([...alwaysSupported, ...model.supported_parameters]);
  const unknown = Object.entries(request).find(
    ([name, value]) => value !== undefined && value !== null && !known.has(name),
  );
  if (!unknown) return;
  throw unsupported(
    unknown[0],
    `The model \`${model.id}\` does not support the parameter \`${unknown[0]}\`. Leave it out, or set \`provider.require_parameters\` to false.`,
  );
}

function unsupported(param: string, detail: string): ApiError {
  return new ApiError('validation_error', detail, {
    param,
    errors: [{ pointer: `/${param}`, message: 'is not supported by the model' }],
  });
}
