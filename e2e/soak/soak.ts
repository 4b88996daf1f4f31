import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../../bench/src/lib/machine.ts';
import { freePort } from '../../demo/src/free-port.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { createTally, sumOf } from './clients/tally.ts';
import { injectFaults } from './inject-faults.ts';
import type { SoakOptions } from './options.ts';
import { metricsOf, type Sample } from './report/metrics.ts';
import type { Report } from './report/report.ts';
import { type Platform, startPlatform } from './server/platform.ts';
import { WorkerProcess } from './worker-process.ts';

const workerPath = fileURLToPath(new URL('clients/worker.ts', import.meta.url));
const workerCount = 2;
/** Restarts of the server: time as a fraction of the run, and signal. */
const restarts = [
  { at: 0.15, signal: 'SIGTERM' },
  { at: 0.35, signal: 'SIGKILL' },
  { at: 0.6, signal: 'SIGTERM' },
] as const;
const secondsBetweenRevocations = 5;
/** Minimum length of a run, in minutes, to distinguish growth from warm-up. */
const minMinutesForGrowth = 10;
/** Time limit for finishing all conversations. Each conversation has shorter limits of its own. */
const finishTimeoutMs = 420_000;

/** Runs the soak test, and stops all its processes at the end. */
export async function soak(options: SoakOptions, log: (line: string) => void): Promise<Report> {
  const { minutes, clients } = options;
  const report: Report = {
    machine: describeMachine(new Date()),
    minutes,
    clients,
    failure: null,
    tally: createTally(),
    faults: {},
    restarts: [],
    network: {
      connections: 0,
      requests: 0,
      cuts: { 'half-open': 0, reset: 0, fin: 0 },
      refused: 0,
    },
    serverErrors: [],
    metrics: [],
  };
  const closers: Array<() => unknown> = [];
  try {
    const port = await freePort();
    const proxy = await startFaultProxy({
      target: `http://127.0.0.1:${port}`,
      halfOpenTimeoutMs: 20_000,
    });
    closers.push(() => proxy.close());
    const platform = await startPlatform(port, proxy.url);
    closers.push(() => platform.close());
    const workers = Array.from(
      { length: workerCount },
      (_, index) =>
        new WorkerProcess({ name: `worker ${index + 1}`, entry: workerPath, onLine: log }),
    );
    closers.push(() => Promise.all(workers.map((each) => each.end('SIGKILL'))));
    await run({ options, report, proxy, platform, workers, log });
  } catch (error) {
    report.failure = error instanceof Error ? error.message : String(error);
  }
  for (const close of closers.reverse()) await close();
  return report;
}

interface RunOptions {
  options: SoakOptions;
  report: Report;
  proxy: FaultProxy;
  platform: Platform;
  workers: readonly WorkerProcess[];
  log: (line: string) => void;
}

async function run({ options, report, proxy, platform, workers, log }: RunOptions): Promise<void> {
  const { minutes, clients } = options;
  const users = Array.from({ length: clients }, (_, index) => `p${index + 1}`);
  await Promise.all(
    workers.map((each, index) =>
      each.call('start', {
        proxy: proxy.url,
        platform: platform.url,
        apiKey: platform.apiKey,
        users: users.filter((_, place) => place % workers.length === index),
      }),
    ),
  );
  const samples: Sample[] = [];
  const started = performance.now();
  const length = minutes * 60_000;
  const ending = new AbortController();
  const timeAt = (share: number) => started + share * length;
  const wait = (until: number) =>
    sleep(Math.max(0, until - performance.now()), undefined, { signal: ending.signal });

  const injector = injectFaults(proxy, (online) => {
    for (const each of workers) each.call('network', { online }).catch(() => {});
  });
  const takeSamples = async () => {
    // Samples are taken once a minute, or more often in a short run, so that each quarter has samples.
    const step = Math.min(60_000, length / 24);
    for (let next = started + step; next < timeAt(1); next += step) {
      await wait(next);
      const sample = await takeSample((next - started) / 60_000, platform, workers, proxy);
      if (sample) samples.push(sample);
      if (sample) log(progressLine(sample, proxy));
    }
  };
  const revokeRegularly = async () => {
    for (let turn = 0; performance.now() < timeAt(1); turn += 1) {
      await wait(performance.now() + secondsBetweenRevocations * 1000);
      // The call fails while the network is offline; then no token is revoked.
      await workers[turn % workers.length]?.call('revoke', null).catch(() => {});
    }
  };
  const restartRegularly = async () => {
    for (const { at: share, signal } of restarts) {
      await wait(timeAt(share));
      const since = performance.now();
      await platform.restart(signal);
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      report.restarts.push(
        `${signal} at ${round((share * length) / 60_000)} min, back after ${seconds} s`,
      );
      log(report.restarts.at(-1) ?? '');
    }
  };
  try {
    await Promise.all([takeSamples(), revokeRegularly(), restartRegularly(), wait(timeAt(1))]);
  } finally {
    ending.abort();
    await injector.stop();
    report.faults = { ...injector.counts };
    report.network = structuredClone(proxy.counts) as Report['network'];
    report.serverErrors = [...platform.errors];
    report.metrics = metricsOf(samples, minutes >= minMinutesForGrowth);
  }
  log('The network is good again. Finishing every conversation …');
  const timeoutMs = finishTimeoutMs;
  report.tally = sumOf(
    await Promise.all(workers.map((each) => each.call('finish', { timeoutMs }))),
  );
}

/** Takes a sample; null while the server restarts. */
async function takeSample(
  minute: number,
  platform: Platform,
  workers: readonly WorkerProcess[],
  proxy: FaultProxy,
): Promise<Sample | null> {
  const snapshot = await Promise.all(workers.map((each) => each.call('snapshot', null)));
  try {
    const server = await platform.snapshot();
    return { minute, server, workers: snapshot, connections: proxy.connections.length };
  } catch {
    return null;
  }
}

function progressLine({ minute, server, workers, connections }: Sample, proxy: FaultProxy): string {
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  const heap = workers.reduce((sum, { heapUsed }) => sum + heapUsed, 0);
  const { cuts, requests } = proxy.counts;
  return `${round(minute)} min: server ${mebibytes(server.heapUsed)}, clients ${mebibytes(heap)}, ${connections} connections, ${requests} requests, ${cuts['half-open'] + cuts.reset + cuts.fin} cuts`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
