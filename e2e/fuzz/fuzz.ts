import { createResponseCheck } from './checks/check-response.ts';
import { type FuzzResponse, send } from './checks/send-request.ts';
import { changedTables, type StoreWatch, watchStore } from './checks/store-watch.ts';
import { createFixtures } from './fixtures.ts';
import { type Platform, startPlatform } from './platform.ts';
import { createChooser } from './requests/chooser.ts';
import { type ApiDocument, type Operation, operationsOf } from './requests/document.ts';
import { makeRequest } from './requests/make-request.ts';
import { type FuzzRequest, isUnfinished, toCurl } from './requests/request.ts';
import { shrink } from './shrink.ts';

/** Number of requests that use the same fixtures. */
const requestsPerFixtures = 100;
/** Findings after which a run ends. */
const maxFindings = 20;
/** Megabytes by which the heap may grow from the first quarter to the end, for caches and database rows. */
const maxHeapGrowth = 12;

export interface Finding {
  /** Number of the request, from 1. */
  number: number;
  what: string;
  /** Shell command that repeats the request; null if no single request is the cause. */
  curl: string | null;
}

export interface FuzzReport {
  seed: number;
  sent: number;
  /** Number of responses by status; `none` for connections that were closed without a response. */
  statuses: Record<string, number>;
  /** Duration of the slowest response. */
  milliseconds: number;
  /** Heap size in megabytes after a quarter of the requests, and after all of them. */
  heap: [quarter: number, end: number];
  findings: Finding[];
}

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Called with the progress of the run. */
  log: (line: string) => void;
}

/** Sends random and invalid requests made from the API description, and checks the responses. */
export async function fuzz({ requests, seed, log }: FuzzOptions): Promise<FuzzReport> {
  const platform = await startPlatform();
  const store = watchStore(platform.store);
  try {
    const document = (await (
      await fetch(`${platform.url}/meta/v1/openapi.json`)
    ).json()) as ApiDocument;
    const sendAndCheck = createSender(platform, store, createResponseCheck(document));
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

    let fixtures = await createFixtures(platform, 0);
    while (report.sent < requests && report.findings.length < maxFindings && platform.isRunning) {
      const operation = operations[report.sent % operations.length];
      if (!operation) throw new Error('The API description has no operations.');
      if (report.sent % requestsPerFixtures === 0) {
        fixtures = await createFixtures(platform, 1 + report.sent / requestsPerFixtures);
        await store.quiet();
      }
      const generation = { choose, fixtures, invalidPercent: choose.pick([0, 3, 10, 30]) };
      const request = makeRequest(operation, generation);
      report.sent += 1;
      const called = operationOf(request, operation, operations);
      const { response, wrong } = await sendAndCheck(called, request);
      const status = response?.status ?? 'none';
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.milliseconds = Math.max(report.milliseconds, response?.milliseconds ?? 0);
      if (wrong) report.findings.push(await describe(report.sent, called, request, wrong));
      if (report.sent === Math.floor(requests / 4)) report.heap[0] = await platform.heap();
      if (report.sent % 1000 === 0) log(`${report.sent} of ${requests} requests`);
    }
    if (!platform.isRunning) {
      report.findings.push({ number: report.sent, what: 'The platform ended.', curl: null });
      return report;
    }
    report.heap[1] = await platform.heap();
    if (report.heap[1] - report.heap[0] > maxHeapGrowth) {
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
        const { wrong } = await sendAndCheck(operation, smaller);
        return wrong?.startsWith(kind) ?? false;
      });
      return { number, what, curl: toCurl(smallest, platform.url) };
    }
  } finally {
    store.close();
    await platform.close();
  }
}

/** Finds the operation of a request, whose method may be that of another operation of the path. */
function operationOf(
  { method }: FuzzRequest,
  meant: Operation,
  operations: readonly Operation[],
): Operation {
  const name = method === 'HEAD' ? 'GET' : method;
  return operations.find((each) => each.path === meant.path && each.method === name) ?? meant;
}

/** Creates a function that sends a request, and returns the response with an error text or null. */
function createSender(
  platform: Platform,
  store: StoreWatch,
  check: ReturnType<typeof createResponseCheck>,
) {
  return async (operation: Operation, request: FuzzRequest) => {
    const before = store.version();
    let response: FuzzResponse | null = null;
    try {
      response = await send(platform.port, request);
    } catch (error) {
      return { response, wrong: error instanceof Error ? error.message : String(error) };
    }
    const wrong = response && check(operation, request, response);
    if (wrong) return { response, wrong };
    const isRefused = response === null ? !isUnfinished(request) : response.status >= 400;
    if (!isRefused || store.version() === before) return { response, wrong: null };
    return { response, wrong: await findRepeatedWrite(request) };
  };

  /** Repeats a refused request, because a concurrent run of the agent can also write to the store. */
  async function findRepeatedWrite(request: FuzzRequest): Promise<string | null> {
    let tables: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await store.quiet();
      const before = store.contents();
      await send(platform.port, request);
      tables = changedTables(before, store.contents());
      if (tables.length === 0) return null;
    }
    return `It was refused, but changed these tables: ${tables.join(', ')}.`;
  }
}
