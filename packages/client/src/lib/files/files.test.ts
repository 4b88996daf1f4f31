import { describe, expect, it } from 'vitest';
import type { SendForm } from '../ports.ts';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBedOptions } from '../testing/test-bed.ts';

function setup(options: TestBedOptions = {}) {
  const features = { attachments: true, feedback: true, threads: true };
  const attachments = { max_bytes: 10, max_files: 1, media_types: ['image/*'] };
  return setupBed({ config: { features, attachments }, ...options });
}

const picture = (bytes = 3) => new File([new Uint8Array(bytes)], 'cat.png', { type: 'image/png' });

describe('client.files', () => {
  it('uploads a file, reports the progress, and downloads the file', async () => {
    const { client, platform } = setup();
    const progress: number[] = [];
    const file = await client.files.upload(picture(), {
      onProgress: (fraction) => progress.push(fraction),
    });
    expect(file).toMatchObject({ filename: 'cat.png', mime_type: 'image/png', size_bytes: 3 });
    expect(progress).toEqual([0, 1]);
    const content = await client.files.content(file.id);
    expect([content.size, content.type]).toEqual([3, 'image/png']);
    expect(platform.requests.at(-1)?.path).toBe(`/files/${file.id}/content`);

    const conversation = client.conversation();
    await conversation.send([{ type: 'image', source: { type: 'file', file_id: file.id } }]);
    expect(conversation.state.entries[0]).toMatchObject({ kind: 'user', delivery: 'sent' });
  });

  it('rejects with the platform’s error when the platform rejects a file', async () => {
    const { client } = setup();
    await expect(client.files.upload(picture(11))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    const text = new File(['x'], 'x.txt', { type: 'text/plain' });
    await expect(client.files.upload(text)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      problem: { errors: [{ pointer: '/file' }] },
    });
    await expect(client.files.upload('x' as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
    await expect(client.files.content('file_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('repeats an upload once with a new token when the token is revoked', async () => {
    const bed = setup();
    await bed.client.config();
    bed.platform.revokeAll('ada');
    await bed.client.files.upload(picture());
    expect(bed.getTokenCalls).toBe(2);
    expect(bed.platform.count('POST /files')).toBe(2);
  });

  it('aborts downloads at the caller’s signal, and at client.reset()', async () => {
    const endless = () => new Response(new ReadableStream());
    const bed = setup();
    const ports = {
      fetch: ((input, init) =>
        /content|export/.test(String(input))
          ? Promise.resolve(endless())
          : bed.platform.fetch(input, init)) as typeof fetch,
    };
    const { client } = bed.openTab({ ports });
    await client.config();
    const controller = new AbortController();
    const aborted = client.files.content('file_1', controller.signal);
    const dropped = [client.files.content('file_1'), client.sessions.export('ses_1', 'json')];
    const results = Promise.allSettled([aborted, ...dropped]);
    await bed.clock.settle();
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    client.reset();
    expect(await results).toMatchObject([
      { reason: { code: 'ABORTED' } },
      { reason: { code: 'SUBJECT_CHANGED' } },
      { reason: { code: 'SUBJECT_CHANGED' } },
    ]);
  });

  it('aborts an upload at the caller’s signal, and after a minute without progress', async () => {
    let reportProgress = (_fraction: number) => {};
    const sendForm: SendForm = ({ signal, onProgress }) => {
      reportProgress = onProgress;
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    };
    const bed = setup({ client: { ports: { sendForm } } });
    const controller = new AbortController();
    const aborted = bed.client.files.upload(picture(), { signal: controller.signal });
    await bed.clock.advance(100);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });

    const slow = bed.client.files.upload(picture()).catch((error: unknown) => error);
    await bed.clock.advance(59_000);
    reportProgress(0.5);
    await bed.clock.advance(59_000);
    reportProgress(0.6);
    await bed.clock.advance(60_000);
    expect(await slow).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
  });
});
