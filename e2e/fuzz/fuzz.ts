import { makeCast } from './cast.ts';
import { type Answer, send } from './checks/answer.ts';
import { createAnswerCheck } from './checks/check-answer.ts';
import { changedTables, type StoreWatch, watchStore } from './checks/store-watch.ts';
import { type Platform, startPlatform } from './platform.ts';
import { createChooser } from './requests/chooser.ts';
import { type ApiDocument, type Operation, operationsOf } from './requests/document.ts';
import { makeRequest } from './requests/make-request.ts';
import { type FuzzRequest, isUnfinished, toCurl } from './requests/request.ts';
import { shrink } from './shrink.ts';

/** Requests for which the same people and conversations serve. */
const castLife = 100;
/** Findings after which a run has told enough. */
const mostFindings = 20;
/** Megabytes by which the heap may be larger at the end than after a quarter: caches, and the log's own rows. */
const growth = 12;

export interface Finding {
  /** Which request of the run, from 1. */
  number: number;
  what: string;
  /** A line for a shell; null where it is not one request's doing. */
  curl: string | null;
}

export interface FuzzReport {
  seed: number;
  sent: number;
  /** How many answers had each status; `none` for connections that were closed without one. */
  statuses: Record<string, number>;
  /** Of the slowest answer. */
  milliseconds: number;
  /** Megabytes of heap after a quarter of the requests, and after all of them. */
  heap: [quarter: number, end: number];
  findings: Finding[];
}

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Told of the run's progress. */
  say: (line: string) => void;
}

/** Sends requests that the API description makes likely to hurt, and looks at what comes of them. */
export async function fuzz({ requests, seed, say }: FuzzOptions): Promise<FuzzReport> {
  const platform = await startPlatform();
  const store = watchStore(platform.store);
  try {
    const document = (await (
      await fetch(`${platform.url}/meta/v1/openapi.json`)
    ).json()) as ApiDocument;
    const judge = createJudge(platform, store, createAnswerCheck(document));
    const operations = operationsOf(document);
    const choose = createChooser(seed);
    const report: FuzzReport = {
      seed,
      sent: 0,
      statuses: {},
      milliseconds: 0,
      heap: [0, 0],
      findings: [],
    };

    let known = await makeCast(platform, 0);
    while (report.sent < requests && report.findings.length < mostFindings && platform.isRunning) {
      const operation = operations[report.sent % operations.length];
      if (!operation) throw new Error('The API description has no operations.');
      if (report.sent % castLife === 0) {
        known = await makeCast(platform, 1 + report.sent / castLife);
        await store.quiet();
      }
      const making = { choose, known, wild: choose.pick([0, 3, 10, 30]) };
      const request = makeRequest(operation, making);
      report.sent += 1;
      const called = calledBy(request, operation, operations);
      const { answer, wrong } = await judge(called, request);
      const status = answer?.status ?? 'none';
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.milliseconds = Math.max(report.milliseconds, answer?.milliseconds ?? 0);
      if (wrong) report.findings.push(await describe(report.sent, called, request, wrong));
      if (report.sent === Math.floor(requests / 4)) report.heap[0] = await platform.heap();
      if (report.sent % 1000 === 0) say(`${report.sent} of ${requests} requests`);
    }
    if (!platform.isRunning) {
      report.findings.push({ number: report.sent, what: 'The platform ended.', curl: null });
      return report;
    }
    report.heap[1] = await platform.heap();
    if (report.heap[1] - report.heap[0] > growth) {
      const what = `The heap grew from ${report.heap.map((each) => each.toFixed(1)).join(' to ')} MB.`;
      report.findings.push({ number: report.sent, what, curl: null });
    }
    return report;

    async function describe(
      number: number,
      operation: Operation,
      request: FuzzRequest,
      what: string,
    ) {
      const kind = what.slice(0, 20);
      const smallest = await shrink(request, async (smaller) => {
        const { wrong } = await judge(operation, smaller);
        return wrong?.startsWith(kind) ?? false;
      });
      return { number, what, curl: toCurl(smallest, platform.url) };
    }
  } finally {
    store.close();
    await platform.close();
  }
}

/** With another method, a request may be a call of the path's other operation. */
function calledBy(
  { method }: FuzzRequest,
  meant: Operation,
  operations: readonly Operation[],
): Operation {
  const name = method === 'HEAD' ? 'GET' : method;
  return operations.find((each) => each.path === meant.path && each.method === name) ?? meant;
}

/** Makes what sends a request and says what is wrong with its outcome, or null. */
function createJudge(
  platform: Platform,
  store: StoreWatch,
  check: ReturnType<typeof createAnswerCheck>,
) {
  return async (operation: Operation, request: FuzzRequest) => {
    const before = store.version();
    let answer: Answer | null = null;
    try {
      answer = await send(platform.port, request);
    } catch (error) {
      return { answer, wrong: error instanceof Error ? error.message : String(error) };
    }
    const wrong = answer && check(operation, request, answer);
    if (wrong) return { answer, wrong };
    const isRefused = answer === null ? !isUnfinished(request) : answer.status >= 400;
    if (!isRefused || store.version() === before) return { answer, wrong: null };
    return { answer, wrong: await writesEachTime(request) };
  };

  /** What a run wrote meanwhile is no doing of the request: what is, it does again. */
  async function writesEachTime(request: FuzzRequest): Promise<string | null> {
    let tables: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await store.quiet();
      const before = store.contents();
      await send(platform.port, request);
      tables = changedTables(before, store.contents());
      if (tables.length === 0) return null;
    }
    return `It was refused, and the store is another: ${tables.join(', ')}.`;
  }
}
