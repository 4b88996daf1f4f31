import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../testing/listen.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const tail = '\r\n--b--\r\n';

async function setup(limits: NonNullable<SetupOptions['config']>['limits']) {
  const server = await setupServer({ config: { limits } });
  const http = await listen(server.app);
  const { hostname, port } = new URL(http.url);

  /** Sends the HTTP headers of an upload and the start of its body. */
  const startUpload = async (token: string, length: number | null, sent = '') => {
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(
      [
        'POST /agent/v1/files HTTP/1.1',
        'Host: test',
        `Origin: ${testOrigin}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: multipart/form-data; boundary=b',
        length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
        `\r\n${sent}`,
      ].join('\r\n'),
    );
    return {
      socket,
      /** The start of the response. */
      response: async () => String((await once(socket, 'data'))[0]),
    };
  };
  const files = () => server.store.db.selectFrom('files').selectAll().execute();
  return { ...server, startUpload, files };
}

/** A chunk of a chunked body. */
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('an upload', () => {
  it('is rejected before its body arrives if its Content-Length exceeds the quota', async () => {
    const { startUpload, issue, files } = await setup({ user: { file_bytes_per_day: 100_000 } });
    const { token } = await issue();

    const response = await (await startUpload(token, 200_000)).response();

    expect(response).toContain(' 429 ');
    expect(response).toContain('EMBED_QUOTA_EXCEEDED');
    expect(await files()).toEqual([]);
  });

  it('is aborted and not stored if it exceeds the quota without a Content-Length', async () => {
    const { startUpload, issue, files } = await setup({ user: { file_bytes_per_day: 100_000 } });
    const { token } = await issue();

    const upload = await startUpload(token, null, chunk(`${head}${'x'.repeat(150_000)}`));

    expect(await upload.response()).toContain(' 429 ');
    await expect.poll(files).toEqual([]);
  });

  it('is rejected until another upload that uses up `process.upload_bytes` has ended', async () => {
    const { startUpload, issue, files } = await setup({ process: { upload_bytes: 1_048_576 } });
    const [ada, eve] = [await issue('ada'), await issue('eve')];
    const length = 900_000;
    const sent = `${head}${'x'.repeat(200_000)}`;
    const first = await startUpload(ada.token, length, sent);
    await expect.poll(files).toHaveLength(1);

    const refused = await (await startUpload(eve.token, length)).response();
    first.socket.write(`${'x'.repeat(length - sent.length - tail.length)}${tail}`);
    const stored = await first.response();

    expect(refused).toContain(' 503 ');
    expect(refused).toMatch(/retry-after: \d/i);
    expect(refused).toContain('SERVICE_UNAVAILABLE');
    expect(stored).toContain(' 200 ');
    const again = await startUpload(eve.token, length, head);
    again.socket.write(`${'x'.repeat(length - head.length - tail.length)}${tail}`);
    expect(await again.response()).toContain(' 200 ');
  });

  it('is aborted if no byte arrives for `request.upload_idle_seconds`', async () => {
    const { startUpload, clock, files, issue } = await setup({
      request: { upload_idle_seconds: 3 },
    });
    const { token } = await issue();
    const upload = await startUpload(token, 1_000_000, `${head}${'x'.repeat(100)}`);
    let response = '';
    void upload.response().then((text) => {
      response = text;
    });

    await expect
      .poll(() => {
        clock.advance(3_000);
        return response;
      })
      .toContain(' 408 ');

    expect(response).toContain('No byte of the body arrived for 3 seconds');
    await expect.poll(files).toEqual([]);
  });

  it('is rejected if the uploads from its source address exceed a quarter of `process.upload_bytes`', async () => {
    const { startUpload, issue } = await setup({ process: { upload_bytes: 4_194_304 } });
    const length = 400_000;
    const responses: string[] = [];
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((user) => issue(user)));
    for (const { token } of tokens) {
      const upload = await startUpload(token, length, head);
      void upload.response().then((text) => responses.push(text));
    }

    await expect.poll(() => responses).toHaveLength(2);
    for (const response of responses) expect(response).toContain(' 503 ');
  });

  it('is not stored if its connection is closed before the end', async () => {
    const { startUpload, issue, files, store } = await setup({});
    const { token } = await issue();
    const upload = await startUpload(token, 1_000_000, `${head}${'x'.repeat(200_000)}`);
    await expect.poll(files).toHaveLength(1);

    upload.socket.destroy();

    await expect.poll(files).toEqual([]);
    const scheduledRemovals = () => store.db.selectFrom('blob_deletions').selectAll().execute();
    await expect.poll(scheduledRemovals).toEqual([]);
  });
});
