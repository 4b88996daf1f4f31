import type { Ports } from '../ports.ts';
import type { Reader } from '../wire/answers.ts';
import { readBody } from './read-body.ts';
import { agentPath, send } from './send.ts';

/** A call that needs no token, because it gets one. */
export async function postWithoutToken<Value>(
  context: { baseUrl: string; ports: Ports; signal: AbortSignal },
  path: string,
  body: unknown,
  read: Reader<Value>,
): Promise<Value> {
  const response = await send(context.ports.fetch, `${context.baseUrl}${agentPath}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: context.signal,
  });
  return readBody(response, read);
}
