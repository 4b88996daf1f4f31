import { createTokenEndpoint, type Identity, type TokenEndpointOptions } from './token-endpoint.ts';

/** A request of Express, Fastify or `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A response of Express or `node:http`, or `reply.raw` of Fastify. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

export interface ExpressTokenEndpointOptions<Incoming extends NodeRequest>
  extends Omit<TokenEndpointOptions, 'identify'> {
  /** Returns the signed-in user, or null, for a request with the session that your middleware added to it. */
  identify: (request: Incoming) => Identity | null | Promise<Identity | null>;
}

/**
 * Creates a token endpoint like `createTokenEndpoint`, as a handler of Express or `node:http`. It does not
 * read the body, so it works before and after middleware that does.
 *
 * @throws PlatformError `INVALID_OPTION` for an invalid `timeoutMs`.
 */
export function createExpressTokenEndpoint<Incoming extends NodeRequest>(
  options: ExpressTokenEndpointOptions<Incoming>,
) {
  const incomingOf = new WeakMap<Request, Incoming>();
  const endpoint = createTokenEndpoint({
    ...options,
    identify: (request) => options.identify(incomingOf.get(request) as Incoming),
  });
  return async function expressTokenEndpoint(
    incoming: Incoming,
    response: NodeResponse,
  ): Promise<void> {
    const request = toRequest(incoming);
    incomingOf.set(request, incoming);
    const answer = await endpoint(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  };
}

/** Converts what `createTokenEndpoint` itself reads of a request: the method, and whose page sent it. */
function toRequest({ method = 'GET', headers }: NodeRequest): Request {
  const known = ['origin', 'sec-fetch-site'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  // Behind a proxy with TLS, the scheme is that of the page.
  const scheme = /^https:/.test(String(headers.origin)) ? 'https' : 'http';
  const url = `${scheme}://${headers.host}/`;
  return new Request(URL.canParse(url) ? url : 'http://localhost/', {
    // The `Request` of Node refuses some methods, which get a 405 like a GET.
    method: method === 'POST' || method === 'OPTIONS' ? method : 'GET',
    headers: known,
  });
}
