import { createHash } from 'node:crypto';
import type { RedisClient } from './redis-link.ts';

/** Runs a Lua script. */
export type RedisScript = (
  client: RedisClient,
  keys: string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/** Creates a function that runs a Lua script, and sends its text only if Redis does not have it yet. */
export function redisScript(text: string): RedisScript {
  const hash = createHash('sha1').update(text).digest('hex');
  return async (client, keys, values) => {
    const options = { keys, arguments: values.map(String) };
    try {
      return await client.evalSha(hash, options);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
        return client.eval(text, options);
      }
      throw error;
    }
  };
}
