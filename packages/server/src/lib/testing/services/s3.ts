import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { ObjectStorage } from '../../config/object-storage.ts';
import { systemRandom } from '../../random.ts';

/** Handles a request instead of the service, or returns false. */
export type S3Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** An object storage with the S3 protocol, which checks the signatures of requests. */
export interface TestS3 {
  /** URL of the service, without a path. */
  readonly endpoint: string;
  /** Name of an empty bucket. */
  readonly bucket: string;
  /** The credentials, as environment variables. */
  readonly environment: Readonly<Record<'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>>;
  /** `METHOD /path` of the requests so far. */
  readonly requests: string[];
  /** Handles the requests for which it returns true; null for no fault. */
  setFault(fault: S3Fault | null): void;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Stops the service and deletes its folder. May be called twice. */
  stop(): Promise<void>;
}

/** Starts the object storage behind a proxy that can simulate faults. Stop it in `afterAll`. */
export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'inlay-s3-'));
  const bucket = 'inlay';
  const service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port: servicePort } = await service.run();
  const requests: string[] = [];
  let fault: S3Fault | null = null;
  const proxy = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    if (fault?.(incoming, outgoing)) return;
    const { method, url: path, headers } = incoming;
    const forwarded = request(
      { host: '127.0.0.1', port: servicePort, method, path, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        response.on('error', () => outgoing.destroy());
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = proxy.address() as AddressInfo;
  const down = () =>
    new Promise<void>((resolve) => {
      proxy.close(() => resolve());
      proxy.closeAllConnections();
    });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    environment: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    requests,
    setFault(next) {
      fault = next;
    },
    down,
    up: () => listen(port),
    async stop() {
      await down();
      await service.close().catch(() => {});
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Options of `openS3Blobs` for this service. */
export function optionsOf({ endpoint, bucket, environment }: TestS3) {
  return {
    settings: ObjectStorage.parse({ endpoint, bucket }),
    secret: (name: string) => (environment as Record<string, string>)[name],
    random: systemRandom,
  };
}
