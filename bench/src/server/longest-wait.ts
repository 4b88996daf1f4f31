import { HttpConnection } from './http-connection.ts';
import { issueTokenRequest, type Platform } from './platform.ts';

/** Sends issuances one after another for a time. Returns the longest of them in milliseconds. */
export async function longestWait(platform: Platform, observedMs: number): Promise<number> {
  const connection = await HttpConnection.open(platform.port);
  let longest = 0;
  for (const end = performance.now() + observedMs; performance.now() < end; ) {
    const startedAt = performance.now();
    const response = await connection.request(issueTokenRequest('bob'));
    if (response.status !== 200) throw new Error(`The status is ${response.status}.`);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  connection.close();
  return longest;
}
