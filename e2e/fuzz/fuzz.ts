import fc from 'fast-check';
import { dereference } from '../../scripts/api/dereference.ts';
import { checkFamilyResponse } from './checks/check-family-response.ts';
import { createResponseCheck } from './checks/check-response.ts';
import { type FuzzResponse, sendRequest } from './checks/send-request.ts';
import { changedTables, type StoreWatch, watchStore } from './checks/store-watch.ts';
import { createFixtures } from './fixtures.ts';
import { type Platform, startPlatform } from './platform.ts';
import { compatibleOperations } from './requests/compatible-operations.ts';
import { type ApiDocument, type Operation, operationsOf } from './requests/document.ts';
import { type FuzzRequest, isUnfinished, toCurl } from './requests/request.ts';
import { type GeneratedRequest, requestsTo } from './requests/request-arbitrary.ts';
import type { Fixtures } from './requests/values.ts';

/** Number of requests that use the same fixtures and the same seed. */
const requestsPerBatch = 100;
/** Number of findings after which a run ends. */
const maxFindings = 20;
/** Milliseconds after which a batch, including shrinking, ends. */
const batchTimeLimitMs = 120_000;
/** Megabytes by which the heap may grow from the first quarter to the end, for caches and database rows. */
const maxHeapGrowth = 12;

export interface Finding {
  /** Description of the error. */
  what: string;
  /** Shell command that repeats the shrunk request; null if no single request is the cause. */
  curl: string | null;
  /** Options of the command line that repeat the shrunk request; null if no single request is the cause. */
  replay: string | null;
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
  /** Path of a shrunk request of this seed, as in a finding. Sends this request only. */
  path?: string;
  /** Called with the progress of the run. */
  log: (line: string) => void;
}

/** Sends random and invalid requests made from the API description, and checks the responses. */
export async function fuzz({ requests, seed, path, log }: FuzzOptions): Promise<FuzzReport> {
  const platform = await startPlatform();
  const store = watchStore(platform.store);
  const report: FuzzReport = {
    seed,
    sent: 0,
    statuses: {},
    milliseconds: 0,
    heap: [0, 0],
    findings: [],
  };
  try {
    const description = await fetch(`${platform.url}/meta/v1/openapi.json`);
    const document = await dereference((await description.json()) as ApiDocument);
    const sendAndCheck = createSender(platform, store, createResponseCheck());
    const operations = [...operationsOf(document), ...(await compatibleOperations())];
    let fixtures: Fixtures = {};
    const generated = requestsTo(operations, () => fixtures);
    const send = async ({ operation, request }: GeneratedRequest) => {
      report.sent += 1;
      const called = operationOf(request, operation, operations);
      const { response, wrong: problem } = await sendAndCheck(called, request);
      const status = response?.status ?? 'none';
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      report.milliseconds = Math.max(report.milliseconds, response?.milliseconds ?? 0);
      return problem;
    };
    const batches = path === undefined ? Math.ceil(requests / requestsPerBatch) : 1;
    for (let batch = 0; batch < batches && report.findings.length < maxFindings; batch += 1) {
      fixtures = await createFixtures(platform, batch);
      await store.quiet();
      const runs = Math.min(requestsPerBatch, requests - batch * requestsPerBatch);
      const batchSeed = (seed + batch) % 2 ** 32;
      const failure = await findFailure(generated, send, { seed: batchSeed, runs, path });
      if (failure) {
        const { value, what, path: failurePath } = failure;
        const replay = `--seed ${batchSeed} --path ${failurePath}`;
        report.findings.push({ what, curl: toCurl(value.request, platform.url), replay });
      }
      if (!platform.isRunning) {
        report.findings.push({ what: 'The platform ended.', curl: null, replay: null });
        return report;
      }
      if (batch <= batches / 4) report.heap[0] = await platform.heap();
      if (report.sent % 1000 === 0) log(`${report.sent} of ${requests} requests`);
    }
    report.heap[1] = await platform.heap();
    if (report.heap[1] - report.heap[0] > maxHeapGrowth) {
      const what = `The heap grew from ${report.heap.map((each) => each.toFixed(1)).join(' to ')} MB.`;
      report.findings.push({ what, curl: null, replay: null });
    }
    return report;
  } finally {
    store.close();
    await platform.close();
  }
}

/**
 * Generates values until `check` describes an error, and shrinks that value.
 *
 * @returns The shrunk value with its error and path; null if there is no error.
 */
export async function findFailure<Value>(
  values: fc.Arbitrary<Value>,
  check: (value: Value) => Promise<string | null>,
  { seed, runs, path }: { seed: number; runs: number; path?: string | undefined },
): Promise<{ value: Value; what: string; path: string } | null> {
  const property = fc.asyncProperty(values, async (value) => {
    const problem = await check(value);
    if (problem !== null) throw new Error(problem);
  });
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(path !== undefined && { path, endOnFailure: true }),
    interruptAfterTimeLimit: batchTimeLimitMs,
  });
  if (!details.counterexample) return null;
  const { errorInstance, counterexample, counterexamplePath } = details;
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { value: counterexample[0], what, path: counterexamplePath ?? '' };
}

/** Finds the operation of a request, whose method may be that of another operation of the path. */
function operationOf(
  { method }: FuzzRequest,
  intended: Operation,
  operations: readonly Operation[],
): Operation {
  const name = method === 'HEAD' ? 'GET' : method;
  return operations.find((each) => each.path === intended.path && each.method === name) ?? intended;
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
      response = await sendRequest(platform.port, request);
    } catch (error) {
      return { response, wrong: error instanceof Error ? error.message : String(error) };
    }
    const checkOne = operation.family ? checkFamilyResponse : check;
    const problem = response && checkOne(operation, request, response);
    if (problem) return { response, wrong: problem };
    const isRefused = response === null ? !isUnfinished(request) : response.status >= 400;
    if (!isRefused || store.version() === before) return { response, wrong: null };
    return { response, wrong: await findRepeatedWrite(request) };
  };

  /**
   * Repeats a rejected request, because a concurrent run of the agent can also write to the store.
   * Returns an error text if the store changes each time.
   */
  async function findRepeatedWrite(request: FuzzRequest): Promise<string | null> {
    let tables: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await store.quiet();
      const before = store.contents();
      await sendRequest(platform.port, request);
      // The content of a refused upload is deleted by a job, whose row disappears.
      await store.quiet();
      tables = changedTables(before, store.contents());
      if (tables.length === 0) return null;
    }
    return `It was refused, but changed these tables: ${tables.join(', ')}.`;
  }
}
