import type { Issuance } from './tokens.ts';

/** A request that the page made, without the secrets that it bore. */
export interface RecordedRequest {
  /** Method and path, with `{id}` for a session's: `POST /sessions/{id}/events`. */
  readonly name: string;
  readonly method: string;
  /** Path below `/agent/v1`, with its query. */
  readonly path: string;
  /** In lower case. `authorization` holds no token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON that was sent, without codes and visitors' secrets; null for none. */
  readonly body: unknown;
  /** Whose token it bore; null for none, or one that was never issued. */
  readonly user: string | null;
  /** The token's id, `emb_…`; null likewise. */
  readonly tokenId: string | null;
  /** When it was made, by the platform's clock: milliseconds since the epoch. */
  readonly at: number;
}

interface SeenRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
}

const secretHeaders = ['authorization'];
const secretFields = ['code', 'visitor_secret'];

export function record(seen: SeenRequest, issuance: Issuance | null, at: number): RecordedRequest {
  const { name, method, path, body } = seen;
  const headers = Object.fromEntries(seen.headers);
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
