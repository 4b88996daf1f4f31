import { at } from '../lib/at.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtLeast, ratioAtMost, toRow } from '../lib/row.ts';
import { HttpConnection, serialize } from './http-connection.ts';
import { issueTokenRequest, startPlatform } from './platform.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const connections = 64;
/** Number of users who get tokens, in rotation. */
const users = 1000;

interface Load {
  perSecond: number;
  /** CPU time of the server per request in microseconds. */
  cpuTime: number;
  /** CPU use of the server, as a share of one core. */
  coreShare: number;
}

/**
 * Tokens issued per second by one process, compared with an endpoint that only handles JSON. 64
 * connections with one request at a time. The baseline parses and validates the same JSON with the
 * same schema. If the load generator is the bottleneck, use the processor time per request instead of
 * the rate. Does not measure other concurrent requests.
 */
export const issuance: Benchmark = {
  name: 'issuance',
  title: `POST /agent/v1/embed_tokens over ${connections} connections`,
  async run({ rounds: requestedRounds, seconds }) {
    const rounds = Math.min(requestedRounds, 3);
    const [baseline, normal, full] = [
      await startServerProcess({ kind: 'baseline' }),
      await startPlatform({ synchronous: 'normal' }),
      await startPlatform({ synchronous: 'full' }),
    ];
    try {
      const load = (server: ServerProcess) => () => applyLoad(server, seconds);
      const samples = await interleave(
        { baseline: load(baseline), normal: load(normal), full: load(full) },
        { rounds, warmUp: 1 },
      );
      const row = (metric: string, mode: 'normal' | 'full', key: keyof Load, unit: string) => ({
        metric: `${metric}, store ${mode.toUpperCase()}`,
        unit,
        measured: samples[mode].map((sample) => sample[key]),
        baseline: samples.baseline.map((sample) => sample[key]),
      });
      const coreShare = Math.min(...samples.baseline.map((sample) => sample.coreShare));
      return {
        rows: [
          toRow({
            ...row('tokens issued', 'normal', 'perSecond', '/s'),
            target: ratioAtLeast(0.24),
          }),
          toRow(row('tokens issued', 'full', 'perSecond', '/s')),
          toRow({
            ...row('processor time per token', 'normal', 'cpuTime', 'µs'),
            target: ratioAtMost(3),
          }),
          toRow(row('processor time per token', 'full', 'cpuTime', 'µs')),
        ],
        notes: [
          'FULL is the default of the store: every commit is on disk before the response.',
          ...(coreShare < 0.9
            ? [
                `The baseline used only ${Math.round(coreShare * 100)} % of a core, because of the load generator or other processes, so the ratio of the rates is too high. Use the processor time.`,
              ]
            : []),
        ],
      };
    } finally {
      await Promise.all([baseline.stop(), normal.stop(), full.stop()]);
    }
  },
};

/**
 * Tokens issued per second by a process that counts metrics, compared with one that does not. Does not
 * measure a scrape of `GET /metrics`.
 */
export const issuanceMetrics: Benchmark = {
  name: 'issuance-metrics',
  title: `POST /agent/v1/embed_tokens over ${connections} connections, with metrics`,
  async run({ rounds, seconds }) {
    const [without, counted] = [
      await startPlatform({ synchronous: 'normal' }),
      await startPlatform({ synchronous: 'normal', hasMetrics: true }),
    ];
    try {
      const samples = await interleave(
        { without: () => applyLoad(without, seconds), counted: () => applyLoad(counted, seconds) },
        { rounds, warmUp: 2 },
      );
      const row = (metric: string, key: keyof Load, unit: string) => ({
        metric: `${metric}, with and without metrics`,
        unit,
        measured: samples.counted.map((sample) => sample[key]),
        baseline: samples.without.map((sample) => sample[key]),
      });
      return {
        rows: [
          toRow({ ...row('tokens issued', 'perSecond', '/s'), target: ratioAtLeast(0.95) }),
          toRow({ ...row('processor time per token', 'cpuTime', 'µs'), target: ratioAtMost(1.05) }),
        ],
        notes: ['While other processes use the processor, only the processor time is reliable.'],
      };
    } finally {
      await Promise.all([without.stop(), counted.stop()]);
    }
  },
};

/** Sends requests on all connections, one at a time each, for the given number of seconds. */
async function applyLoad(server: ServerProcess, seconds: number): Promise<Load> {
  const requests = Array.from({ length: users }, (_, number) =>
    serialize(issueTokenRequest(`user-${number}`)),
  );
  const openConnections = await Promise.all(
    Array.from({ length: connections }, () => HttpConnection.open(server.port)),
  );
  const before = await server.query('cpu');
  const started = performance.now();
  const end = started + seconds * 1000;
  let sent = 0;
  let completed = 0;
  await Promise.all(
    openConnections.map(async (connection) => {
      while (performance.now() < end) {
        const { status, body } = await connection.request(at(requests, sent++ % users));
        if (status !== 200)
          throw new Error(`Issuance responded with ${status}: ${body.toString()}`);
        completed += 1;
      }
    }),
  );
  const milliseconds = performance.now() - started;
  const used = (await server.query('cpu')).microseconds - before.microseconds;
  for (const connection of openConnections) connection.close();
  return {
    perSecond: (completed / milliseconds) * 1000,
    cpuTime: used / completed,
    coreShare: used / 1000 / milliseconds,
  };
}
