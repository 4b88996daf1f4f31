import type { Issuance } from './tokens.ts';

/** A request of the page without its secrets. */
export interface RecordedRequest {
  /** Method and path, with `{id}` instead of a session or file id: `POST /sessions/{id}/events`. */
  readonly name: string;
  readonly method: string;
  /** Path below `/agent/v1`, with the query. */
  readonly path: string;
  /** Headers by lower-case name. The token in `authorization` is removed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body without codes and visitor secrets; null for none. */
  readonly body: unknown;
  /** The user of its token; null without a known token. */
  readonly user: string | null;
  /** Id of its token, `emb_…`; null without a known token. */
  readonly tokenId: string | null;
  /** Time by the platform's clock, in milliseconds since the epoch. */
  readonly at: number;
}

interface RequestToRecord {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
}

const secretHeaders = ['authorization'];
const secretFields = ['code', 'visitor_secret'];

export function recordRequest(
  request: RequestToRecord,
  issuance: Issuance | null,
  at: number,
): RecordedRequest {
  const { name, method, path, body } = request;
  const headers = Object.fromEntries(request.headers);
  for (const secret of secretHeaders) if (headers[secret]) headers[secret] = 'Bearer …';
  const { user = null, id: tokenId = null } = issuance ?? {};
  return { name, method, path, headers, body: readJson(body), user, tokenId, at };
}

function readJson(body: string | null): unknown {
  if (body === null) return null;
  try {
    return JSON.parse(body, (key, value: unknown) => (secretFields.includes(key) ? '…' : value));
  } catch {
    return body;
  }
}
