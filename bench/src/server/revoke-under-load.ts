import { startPostgres } from '../../../packages/server/src/lib/testing/services/postgres.ts';
import { at } from '../lib/at.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow } from '../lib/row.ts';
import { percentile } from '../lib/statistics.ts';
import { HttpConnection, type Request, serialize } from './http-connection.ts';
import { type Platform, signIn, startPlatform } from './platform.ts';

const healthChecks = 500;
const madeUpKeys = 200;
/** Number of sequential revocations per round. */
const revocations = 300;

/**
 * The time
 * of a revocation with PostgreSQL, while 500 connections send health checks and 200 send made-up API
 * keys to the same path, each of its own address, as fast as they get responses. The baseline is the
 * same process without this load. Does not measure a network in between.
 */
export const revokeUnderLoad: Benchmark = {
  name: 'revoke-under-load',
  title: `time of a revocation under ${healthChecks} health checks and ${madeUpKeys} made-up keys`,
  async run(options) {
    const rounds = Math.min(options.rounds, 3);
    const postgres = await startPostgres();
    const platform = await startPlatform({
      limitsSources: true,
      environment: { DATABASE_URL: postgres.url },
    });
    try {
      const samples = await interleave(
        {
          quiet: () => timeRevocations(platform),
          loaded: async () => {
            const load = await startLoad(platform.port);
            try {
              return await timeRevocations(platform);
            } finally {
              await load.stop();
            }
          },
        },
        { rounds, warmUp: 1 },
      );
      const row = (metric: string, share: number) => ({
        metric,
        unit: 'ms',
        measured: samples.loaded.map((times) => percentile(times, share)),
        baseline: samples.quiet.map((times) => percentile(times, share)),
      });
      return {
        rows: [
          toRow({ ...row('revocation, p99', 0.99), target: ratioAtMost(2) }),
          toRow(row('revocation, median', 0.5)),
        ],
        notes: [
          'The load generator and PostgreSQL share the processor with the platform.',
          `In each round, ${revocations} sequential revocations.`,
        ],
      };
    } finally {
      await platform.stop();
      await postgres.stop();
    }
  },
};

async function timeRevocations(platform: Platform): Promise<number[]> {
  const issued = await Promise.all(
    Array.from({ length: revocations }, (_, number) => signIn(platform, `user-${number}`)),
  );
  const times: number[] = [];
  for (const { issuanceId } of issued) {
    const sentAt = performance.now();
    const record = await platform.callAsBackend(`/agent/v1/embed_tokens/${issuanceId}/revoke`);
    times.push(performance.now() - sentAt);
    if (record.revoked_at === null) throw new Error('The token is not revoked.');
  }
  return times;
}

/** Sends requests on all connections, one at a time each, until it is stopped. */
async function startLoad(port: number): Promise<{ stop(): Promise<void> }> {
  const requests = [
    ...Array.from({ length: healthChecks }, (_, number) => healthCheck(number)),
    ...Array.from({ length: madeUpKeys }, (_, number) => revocationWithMadeUpKey(number)),
  ];
  const connections = await Promise.all(requests.map(() => HttpConnection.open(port)));
  let isStopped = false;
  const running = connections.map(async (connection, number) => {
    const request = serialize(at(requests, number));
    while (!isStopped) await connection.request(request);
    connection.close();
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

function healthCheck(number: number): Request {
  return { method: 'GET', path: '/meta/v1/health', headers: sentFrom(number) };
}

function revocationWithMadeUpKey(number: number): Request {
  return {
    method: 'POST',
    path: '/agent/v1/embed_tokens/emb_1/revoke',
    headers: { ...sentFrom(healthChecks + number), authorization: `Bearer sk-service-${number}` },
  };
}

/** Header of a request from an address of its own. */
function sentFrom(number: number): Record<string, string> {
  return { 'x-forwarded-for': `10.0.${number >> 8}.${number & 255}` };
}
