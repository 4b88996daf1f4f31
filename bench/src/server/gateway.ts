import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtLeast, ratioAtMost, toRow } from '../lib/row.ts';
import { percentile } from '../lib/statistics.ts';
import type { Request } from './http-connection.ts';
import { forwardedRequest, startPlatform } from './platform.ts';
import { ResponseStream } from './response-stream.ts';
import { startServerProcess } from './server-process.ts';

const connections = 64;
/** Milliseconds until the upstream sends the first event: the time of a fast model. */
const modelDelay = 200;
const mebibyte = 1_048_576;
/** Numbers of bytes after which the memory of the server is measured while a stream is being read. */
const memoryAt = [16 * mebibyte, 128 * mebibyte] as const;

/**
 * A stream that a compatible prefix forwards, compared with the same stream from its upstream, over 64
 * connections: time to the first event with an upstream that needs 200 ms (a fast model) and with one
 * that responds immediately, throughput, and the growth of the server's memory between 16 and 128 MiB
 * of one stream. Does not measure the network to a vendor.
 */
export const gateway: Benchmark = {
  name: 'gateway',
  title: `a forwarded stream over ${connections} connections`,
  async run({ rounds: requestedRounds, seconds }) {
    const rounds = Math.min(requestedRounds, 5);
    const upstream = await startServerProcess({ kind: 'baseline' });
    const platform = await startPlatform({ upstream: `http://127.0.0.1:${upstream.port}/v1` });
    const direct = (path: string): Request => ({ method: 'POST', path, body: {} });
    const path = (bytes: number, delay: number) => `/v1/messages?bytes=${bytes}&delay=${delay}`;
    const measureBoth = (bytes: number, delay: number) => {
      const url = path(bytes, delay);
      return interleave(
        {
          direct: () => applyLoad(upstream.port, direct(url), seconds),
          forwarded: () => applyLoad(platform.port, forwardedRequest(url), seconds),
        },
        { rounds, warmUp: 1 },
      );
    };
    try {
      const model = await measureBoth(4096, modelDelay);
      const immediate = await measureBoth(4096, 0);
      const long = await measureBoth(4 * mebibyte, 0);
      const growth: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        growth.push(await measureGrowth(platform, forwardedRequest(path(256 * mebibyte, 0))));
      }
      const row = (metric: string, samples: typeof model, key: keyof LoadResult, unit: string) => ({
        metric,
        unit,
        measured: samples.forwarded.map((sample) => sample[key]),
        baseline: samples.direct.map((sample) => sample[key]),
      });
      return {
        rows: [
          toRow({
            ...row(`first event, model of ${modelDelay} ms`, model, 'median', 'ms'),
            target: ratioAtMost(1.05),
          }),
          toRow({
            ...row(`first event, model of ${modelDelay} ms, p95`, model, 'p95', 'ms'),
            target: ratioAtMost(1.2),
          }),
          toRow(row('first event, upstream without delay', immediate, 'median', 'ms')),
          toRow(
            row('streams of 4 KiB, upstream without delay', immediate, 'streamsPerSecond', '/s'),
          ),
          toRow({
            ...row('throughput of streams of 4 MiB', long, 'mebibytesPerSecond', 'MiB/s'),
            target: ratioAtLeast(0.7),
          }),
          toRow({
            metric: 'memory of the server, from 16 to 128 MiB of a stream',
            unit: 'KiB',
            measured: growth,
            target: atMost(1024, 'KiB'),
          }),
        ],
        notes: [
          'The upstream, the platform and the load generator share the cores. Without a delay, all connections wait for the processor, so that the time to the first event is the inverse of the rate.',
          'The memory is the JavaScript heap and external memory after a garbage collection, while the stream is open.',
        ],
      };
    } finally {
      await Promise.all([platform.stop(), upstream.stop()]);
    }
  },
};

interface LoadResult {
  /** Milliseconds until the first event. */
  median: number;
  p95: number;
  /** Complete streams per second. */
  streamsPerSecond: number;
  /** MiB per second, including response headers and chunk sizes. */
  mebibytesPerSecond: number;
}

/** Reads one stream after another on all connections, for the given number of seconds. */
async function applyLoad(port: number, request: Request, seconds: number): Promise<LoadResult> {
  const streams = await Promise.all(
    Array.from({ length: connections }, () => ResponseStream.open(port)),
  );
  const times: number[] = [];
  let bytes = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    streams.map(async (stream) => {
      while (performance.now() < end) {
        const read = await stream.read(request);
        times.push(read.firstEvent);
        bytes += read.bytes;
      }
    }),
  );
  const elapsed = (performance.now() - started) / 1000;
  for (const stream of streams) stream.close();
  return {
    median: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    streamsPerSecond: times.length / elapsed,
    mebibytesPerSecond: bytes / mebibyte / elapsed,
  };
}

/** Returns by how many KiB the memory of the server grows while it forwards a long stream. */
async function measureGrowth(
  platform: Awaited<ReturnType<typeof startPlatform>>,
  request: Request,
): Promise<number> {
  const usedMemory = async () => {
    const { heapUsed, external } = await platform.query('memory');
    return heapUsed + external;
  };
  const stream = await ResponseStream.open(platform.port);
  try {
    const [first, second] = memoryAt;
    await stream.read(request, first);
    const before = await usedMemory();
    const { bytes } = await stream.continueReading(second - first);
    if (bytes < second - first) throw new Error('The stream ended too early.');
    return ((await usedMemory()) - before) / 1024;
  } finally {
    stream.close();
  }
}
