import { dereference } from '../../../scripts/api/dereference.ts';
import { sendRequest } from '../checks/send-request.ts';
import { createFixtures } from '../fixtures.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { compatibleOperations } from '../requests/compatible-operations.ts';
import {
  type ApiDocument,
  type Operation,
  operationsOf,
  segmentsOf,
} from '../requests/document.ts';
import { type FuzzRequest, toCurl } from '../requests/request.ts';
import type { Fixtures } from '../requests/values.ts';
import { fill, locationsOf } from './body-locations.ts';
import { type Cost, checkGrowth } from './check-growth.ts';
import { worstCaseBodies, worstCaseItems, worstCaseTexts } from './worst-case-inputs.ts';

export interface GrowthFinding {
  /** Operation, location in the request and kind of input. */
  input: string;
  what: string;
  /** Shell command that sends the smallest of the inputs. */
  curl: string;
}

export interface GrowthReport {
  inputs: number;
  /** The input that blocked the event loop for the longest time, in milliseconds. */
  worst: { input: string; delay: number; bytesIn: number };
  findings: GrowthFinding[];
}

export interface GrowthOptions {
  /** Sizes of each input in bytes, each twice the previous one. */
  sizes: readonly number[];
  /** Substring of method and path of the operations to measure. @default all operations */
  only?: string;
  log: (line: string) => void;
}

/** An input that is sent at doubling sizes. */
interface Input {
  name: string;
  request: (bytes: number, fixtures: Fixtures) => FuzzRequest;
}

/**
 * Sends inputs of doubling sizes for every body, its strings and lists, and every query parameter of the
 * API, and measures processor time, event-loop delay and response size.
 */
export async function measureGrowth({ sizes, only, log }: GrowthOptions): Promise<GrowthReport> {
  const platform = await startPlatform();
  try {
    const description = await fetch(`${platform.url}/meta/v1/openapi.json`);
    const document = await dereference((await description.json()) as ApiDocument);
    const operations = [...operationsOf(document), ...(await compatibleOperations())].filter(
      ({ method, path }) => `${method} ${path}`.includes(only ?? ''),
    );
    const report: GrowthReport = {
      inputs: 0,
      worst: { input: 'none', delay: 0, bytesIn: 0 },
      findings: [],
    };
    for (const [number, operation] of operations.entries()) {
      log(`${number + 1} of ${operations.length}: ${operation.method} ${operation.path}`);
      let fixtures = await createFixtures(platform, `${number}`);
      for (const [index, input] of inputsOf(operation).entries()) {
        report.inputs += 1;
        // A new user for each input, because the bytes that a user can send per day are limited.
        if (operation.credential === 'embedToken') {
          fixtures = await createFixtures(platform, `${number}-${index}`);
        }
        const { costs, what } = await measure(
          platform,
          (bytes) => input.request(bytes, fixtures),
          sizes,
        );
        for (const { delay, bytesIn } of costs) {
          if (delay > report.worst.delay) report.worst = { input: input.name, delay, bytesIn };
        }
        if (what === null) continue;
        const curl = toCurl(input.request(sizes[0] ?? 0, fixtures), platform.url);
        report.findings.push({ input: input.name, what, curl });
      }
    }
    return report;
  } finally {
    await platform.close();
  }
}

/** Measures an input. Repeats a measurement with a finding, because garbage collections can cause it. */
async function measure(
  platform: Platform,
  request: (bytes: number) => FuzzRequest,
  sizes: readonly number[],
) {
  let costs: Cost[] = [];
  let what: string | null = null;
  for (let times = 0; times < 3; times += 1) {
    costs = [];
    for (const bytes of sizes) {
      const cost = await costOf(platform, request(bytes));
      if (typeof cost === 'string') return { costs, what: cost };
      costs.push(cost);
    }
    what = checkGrowth(costs);
    if (what === null) break;
  }
  return { costs, what };
}

async function costOf(platform: Platform, request: FuzzRequest): Promise<Cost | string> {
  await platform.load();
  try {
    const response = await sendRequest(platform.port, request);
    const { processor, delay } = await platform.load();
    const bytesIn = request.body?.byteLength ?? Buffer.byteLength(request.target);
    const bytesOut = Buffer.byteLength(response?.body ?? '');
    return { bytesIn, bytesOut, processor, delay };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function inputsOf(operation: Operation): Input[] {
  return [...bodyInputs(operation), ...queryInputs(operation)];
}

function bodyInputs(operation: Operation): Input[] {
  if (operation.body?.type !== 'application/json') return [];
  const name = `${operation.method} ${operation.path}`;
  const input = (what: string, makeBody: (bytes: number) => string): Input => ({
    name: `${name}, ${what}`,
    request: (bytes, fixtures) => requestOf(operation, fixtures, Buffer.from(makeBody(bytes))),
  });
  const raw = Object.entries(worstCaseBodies).map(([shape, make]) => input(shape, make));
  const located = locationsOf(operation).flatMap((location) => {
    const where = `/${location.path.join('/')}`;
    const filled = (value: unknown) => JSON.stringify(fill(location, value));
    if (location.kind === 'text') {
      return Object.entries(worstCaseTexts).map(([shape, make]) =>
        input(`${where}, ${shape}`, (bytes) => filled(make(bytes))),
      );
    }
    return Object.entries(worstCaseItems).map(([shape, item]) =>
      input(`${where}, ${shape}`, (bytes) =>
        filled(Array(Math.ceil(bytes / (JSON.stringify(item).length + 1))).fill(item)),
      ),
    );
  });
  return [...raw, ...located];
}

/** Factor by which a query is smaller than a body, because Node rejects request heads over 16 KiB. */
const queryScale = 256;

function queryInputs(operation: Operation): Input[] {
  const name = `${operation.method} ${operation.path}`;
  return operation.parameters
    .filter(({ in: location }) => location === 'query')
    .flatMap((parameter) =>
      Object.entries(worstCaseTexts).map(([shape, make]) => ({
        name: `${name}, ?${parameter.name}, ${shape}`,
        request: (bytes: number, fixtures: Fixtures) => {
          const query = encodeURIComponent(Buffer.from(make(bytes / queryScale)).toString());
          return requestOf(operation, fixtures, null, `?${parameter.name}=${query}`);
        },
      })),
    );
}

function requestOf(
  { method, path, credential }: Operation,
  fixtures: Fixtures,
  body: Buffer | null,
  query = '',
): FuzzRequest {
  const target = segmentsOf(path)
    .map((each) => (typeof each === 'string' ? each : (fixtures[each.fixture] ?? 'unknown')))
    .join('/');
  return {
    method,
    target: target + query,
    headers: [
      ['host', '127.0.0.1'],
      ...(credential === 'none'
        ? []
        : [['authorization', `Bearer ${fixtures[credential]}`] as const]),
      ...(credential === 'apiKey' ? [] : [['origin', fixtures.origin ?? ''] as const]),
      ...(body ? [['content-type', 'application/json'] as const] : []),
    ],
    body,
    cutAfter: null,
  };
}
