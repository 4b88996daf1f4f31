import type { Context } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { bodyPieces } from '../http/read-body.ts';
import { bodyOwners } from '../limits/body-limiter.ts';
import { estimateBody } from '../model-api/completion-usage.ts';
import { requireBudgetOf } from '../model-api/model-limits.ts';
import type { Services } from '../services.ts';
import { checkForm, type FormPart } from './check-form.ts';

type FormServices = Pick<Services, 'store' | 'clock' | 'config' | 'uploads'>;

/** A form that is completely in memory. */
export interface Form {
  readonly body: FormBody;
  /** The value of `model`; undefined without one. */
  readonly model: string | undefined;
  /** Estimated tokens. A file counts as an image. */
  readonly inputTokens: number;
  /** Returns the same form with another model. */
  withModel(model: string): Promise<FormBody>;
}

interface FormBody {
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
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
  const counted = uploads.open(bodyOwners(c, config.trusted_proxies));
  try {
    const limits = { limit, clock, idleSeconds, onBytes: counted.take };
    const parts: FormPart[] = [];
    const pieces: Uint8Array[] = [];
    const receivedType = c.req.header('content-type') ?? '';
    const checked = checkForm(bodyPieces(c, limits), receivedType, async (part) => {
      check(part);
      parts.push(part);
      if (part.name === 'model') await requireBudgetOf(services, part.value);
    });
    for await (const piece of checked.pieces) pieces.push(piece);
    const body = { sent: Buffer.concat(pieces), contentType: checked.contentType };
    return await use({
      body,
      model: parts.find(({ name }) => name === 'model')?.value ?? undefined,
      inputTokens: estimateBody(parts.map(({ value }) => value ?? 'data:')),
      withModel: (model) => replaceModel(body, model),
    });
  } finally {
    counted.release();
  }
}

async function replaceModel({ sent, contentType }: FormBody, model: string): Promise<FormBody> {
  const form = await new Response(sent, { headers: { 'content-type': contentType } }).formData();
  form.set('model', model);
  const replaced = new Response(form);
  return {
    sent: new Uint8Array(await replaced.arrayBuffer()),
    contentType: replaced.headers.get('content-type') ?? '',
  };
}
