import { expect, it } from 'vitest';
import { listen } from '../testing/listen.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

/** More bytes than fit into the buffers of a connection, so that the server waits for the client. */
const fileSize = 16 * 1024 * 1024;

it('§8.2.1: reading a file counts as a concurrent request until its last byte is sent', async () => {
  const server = await setupServer({
    agent: {
      embed: {
        allowed_origins: [testOrigin],
        limits: { requests_per_second: 1000, concurrent: 1 },
      },
    },
  });
  const http = await listen(server.app);
  const { token } = await server.issue();
  const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
  const form = new FormData();
  form.append('file', new File([new Uint8Array(fileSize)], 'a.txt', { type: 'text/plain' }));
  const uploaded = await fetch(`${http.url}/agent/v1/files`, {
    method: 'POST',
    body: form,
    headers,
  });
  const { id } = (await uploaded.json()) as { id: string };
  const statusOfOther = async () =>
    (await fetch(`${http.url}/agent/v1/embed/config`, { headers })).status;

  const content = await fetch(`${http.url}/agent/v1/files/${id}/content`, { headers });
  expect(await statusOfOther()).toBe(429);
  const bytes = await content.arrayBuffer();

  expect(bytes.byteLength).toBe(fileSize);
  await expect.poll(statusOfOther).toBe(200);
});
