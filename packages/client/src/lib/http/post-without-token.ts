import type { TokenRequest } from '../tokens/token-source.ts';
import type { Reader } from '../wire/answers.ts';
import { readBody } from './read-body.ts';
import { agentPath, send, written } from './send.ts';

/** A call that needs no token, because it gets one. */
export async function postWithoutToken<Value>(
  { baseUrl, ports, signal, serverNow }: TokenRequest,
  path: string,
  body: unknown,
  read: Reader<Value>,
): Promise<Value> {
  const init = { method: 'POST', ...written(null, { body }), signal };
  const url = `${baseUrl}${agentPath}${path}`;
  return readBody(await send(ports.fetch, url, init, serverNow), read);
}
