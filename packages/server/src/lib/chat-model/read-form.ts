import type { Context } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { bodyPieces } from '../http/read-body.ts';
import { bodyOwners } from '../limits/body-limiter.ts';
import { estimateBody } from '../model-service/completion-usage.ts';
import { requireBudgetOf } from '../model-service/model-limits.ts';
import { invalidField } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { checkForm, type FormPart, invalidForm } from './check-form.ts';

type FormServices = Pick<Services, 'store' | 'clock' | 'config' | 'uploads'>;

/** A form that is completely in memory. */
export interface Form {
  readonly bytes: Uint8Array;
  /** The value of `model`; undefined without one. */
  readonly model: string | undefined;
  /** Estimated tokens. A file counts as an image. */
  readonly inputTokens: number;
  /** Returns the same form with another model. */
  withModel(model: string): Promise<{ sent: Uint8Array; contentType: string }>;
}

/**
 * Reads a form into memory, because it may be sent to several providers of its model. All forms in
 * memory count against `limits.process.upload_bytes`.
 *
 * @param check Called with each part. An error that it throws ends the request.
 * @param use Called with the form. The memory counts as free when the returned promise settles.
 * @throws ApiError `SERVICE_UNAVAILABLE` if the process reads too many forms, `QUOTA_EXHAUSTED` if the
 *   monthly budget of the model is used up, and the errors of `checkForm` and `check`.
 */
export async function withForm(
  c: Context<AppEnv>,
  services: FormServices,
  check: (part: FormPart) => void,
  use: (form: Form) => Promise<Response>,
): Promise<Response> {
  const { clock, config, uploads } = services;
  const { forwarded_bytes: limit, upload_idle_seconds: idleSeconds } = config.limits.request;
  const contentType = c.req.header('content-type') ?? '';
  const counted = uploads.open(bodyOwners(c, config.trusted_proxies));
  try {
    const limits = { limit, clock, idleSeconds, onBytes: counted.take };
    const parts: FormPart[] = [];
    const pieces: Uint8Array[] = [];
    const checked = checkForm(bodyPieces(c, limits), contentType, async (part) => {
      if (part.name === 'model' && modelOf(parts) !== undefined) {
        throw invalidField('/model', 'must be given once');
      }
      check(part);
      parts.push(part);
      if (part.name === 'model') await requireBudgetOf(services, part.value);
    });
    for await (const piece of checked) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    return await use({
      bytes,
      model: modelOf(parts),
      inputTokens: estimateBody(parts.map(({ value }) => value ?? 'data:')),
      withModel: (model) => replaceModel(bytes, contentType, model),
    });
  } finally {
    counted.release();
  }
}

function modelOf(parts: readonly FormPart[]): string | undefined {
  return parts.find(({ name }) => name === 'model')?.value ?? undefined;
}

async function replaceModel(bytes: Uint8Array<ArrayBuffer>, contentType: string, model: string) {
  const request = new Response(bytes, { headers: { 'content-type': contentType } });
  const form = await request.formData().catch(() => {
    // This parser is stricter than the parser of `checkForm`.
    throw invalidForm();
  });
  form.set('model', model);
  const replaced = new Response(form);
  return {
    sent: new Uint8Array(await replaced.arrayBuffer()),
    contentType: replaced.headers.get('content-type') ?? '',
  };
}
