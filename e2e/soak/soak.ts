import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../../bench/src/lib/machine.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { freePort } from '../free-port.ts';
import { createTally, sumOf } from './clients/tally.ts';
import { disturb } from './disturb.ts';
import type { SoakOptions } from './options.ts';
import { AskableProcess } from './process.ts';
import { figuresOf, type Sample } from './report/figures.ts';
import type { Report } from './report/report.ts';
import { type Platform, startPlatform } from './server/platform.ts';

const worker = fileURLToPath(new URL('clients/worker.ts', import.meta.url));
const workerCount = 2;
/** When the server is ended, as a share of the run, and how. */
const restarts = [
  { at: 0.15, signal: 'SIGTERM' },
  { at: 0.35, signal: 'SIGKILL' },
  { at: 0.6, signal: 'SIGTERM' },
] as const;
const secondsBetweenRevocations = 5;
/** Minutes of a run that is long enough to tell growth from warming up. */
const judgedFrom = 10;
/** Milliseconds in which all conversations have to come to their end. They have limits of their own below that. */
const finishPatience = 420_000;

/** Runs it all, and ends it all, whatever happens. */
export async function soak(options: SoakOptions, tell: (line: string) => void): Promise<Report> {
  const { minutes, clients } = options;
  const report: Report = {
    machine: describeMachine(new Date()),
    minutes,
    clients,
    failure: null,
    tally: createTally(),
    disturbances: {},
    restarts: [],
    network: {
      connections: 0,
      requests: 0,
      cuts: { 'half-open': 0, reset: 0, fin: 0 },
      refused: 0,
    },
    serverErrors: [],
    figures: [],
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
        new AskableProcess({ name: `worker ${index + 1}`, entry: worker, onLine: tell }),
    );
    closers.push(() => Promise.all(workers.map((each) => each.end('SIGKILL'))));
    await run({ options, report, proxy, platform, workers, tell });
  } catch (error) {
    report.failure = error instanceof Error ? error.message : String(error);
  }
  for (const close of closers.reverse()) await close();
  return report;
}

interface Run {
  options: SoakOptions;
  report: Report;
  proxy: FaultProxy;
  platform: Platform;
  workers: readonly AskableProcess[];
  tell: (line: string) => void;
}

async function run({ options, report, proxy, platform, workers, tell }: Run): Promise<void> {
  const { minutes, clients } = options;
  const people = Array.from({ length: clients }, (_, index) => `p${index + 1}`);
  await Promise.all(
    workers.map((each, index) =>
      each.ask('start', {
        proxy: proxy.url,
        platform: platform.url,
        apiKey: platform.apiKey,
        people: people.filter((_, place) => place % workers.length === index),
      }),
    ),
  );
  const samples: Sample[] = [];
  const started = performance.now();
  const length = minutes * 60_000;
  const ending = new AbortController();
  const at = (share: number) => started + share * length;
  const wait = (until: number) =>
    sleep(Math.max(0, until - performance.now()), undefined, { signal: ending.signal });

  const disturber = disturb(proxy, (online) => {
    for (const each of workers) each.ask('network', { online }).catch(() => {});
  });
  const everySample = async () => {
    // Each minute, and in a short run often enough that a quarter has some.
    const step = Math.min(60_000, length / 24);
    for (let next = started + step; next < at(1); next += step) {
      await wait(next);
      const sample = await takeSample((next - started) / 60_000, platform, workers, proxy);
      if (sample) samples.push(sample);
      if (sample) tell(progress(sample, proxy));
    }
  };
  const everyRevocation = async () => {
    for (let turn = 0; performance.now() < at(1); turn += 1) {
      await wait(performance.now() + secondsBetweenRevocations * 1000);
      // The network may be gone just now; then somebody keeps a token.
      await workers[turn % workers.length]?.ask('revoke', null).catch(() => {});
    }
  };
  const everyRestart = async () => {
    for (const { at: share, signal } of restarts) {
      await wait(at(share));
      const since = performance.now();
      await platform.restart(signal);
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      report.restarts.push(
        `${signal} at ${round((share * length) / 60_000)} min, back after ${seconds} s`,
      );
      tell(report.restarts.at(-1) ?? '');
    }
  };
  try {
    await Promise.all([everySample(), everyRevocation(), everyRestart(), wait(at(1))]);
  } finally {
    ending.abort();
    await disturber.stop();
    report.disturbances = { ...disturber.counts };
    report.network = structuredClone(proxy.counts) as Report['network'];
    report.serverErrors = [...platform.errors];
    report.figures = figuresOf(samples, minutes >= judgedFrom);
  }
  tell('the network is good again; every conversation comes to its end');
  const patience = finishPatience;
  report.tally = sumOf(await Promise.all(workers.map((each) => each.ask('finish', { patience }))));
}

/** Null while the server restarts. */
async function takeSample(
  minute: number,
  platform: Platform,
  workers: readonly AskableProcess[],
  proxy: FaultProxy,
): Promise<Sample | null> {
  const held = await Promise.all(workers.map((each) => each.ask('hold', null)));
  try {
    const server = await platform.hold();
    return { minute, server, workers: held, connections: proxy.connections.length };
  } catch {
    return null;
  }
}

function progress({ minute, server, workers, connections }: Sample, proxy: FaultProxy): string {
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  const heap = workers.reduce((sum, { heapUsed }) => sum + heapUsed, 0);
  const { cuts, requests } = proxy.counts;
  return `${round(minute)} min: server ${mebibytes(server.heapUsed)}, clients ${mebibytes(heap)}, ${connections} connections, ${requests} requests, ${cuts['half-open'] + cuts.reset + cuts.fin} cuts`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
