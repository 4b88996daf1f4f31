import * as z from 'zod/mini';
import { pageOf } from './pages.ts';

/** An operation of an API key or of the command line, in the audit record. */
export const AuditEvent = z.looseObject({
  type: z.literal('audit_event'),
  id: z.string(),
  at: z.string(),
  /** `key:` and the name of an API key, or its id if it has no name; `cli` for the command line. */
  actor: z.string(),
  /** A route, such as `POST /agent/v1/agents/:id`, or a command, such as `keys create`. */
  action: z.string(),
  /** Path of the resource below the version of the API, such as `agents/agt_1`. */
  subject: z.string(),
  /** The settings that changed, before and after; null for an operation that changes none. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** `X-Request-Id` of the response; null for the command line. */
  request_id: z.nullable(z.string()),
  /** Address or IPv6 network of the caller; null for the command line. */
  source: z.nullable(z.string()),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditEventPage = pageOf(AuditEvent);
