import { makeCast } from '../cast.ts';
import { send } from '../checks/answer.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { type ApiDocument, type Operation, operationsOf } from '../requests/document.ts';
import { type FuzzRequest, toCurl } from '../requests/request.ts';
import type { Known } from '../requests/values.ts';
import { type Cost, judgeGrowth } from './judge-growth.ts';
import { fill, placesOf } from './places.ts';
import { bodyShapes, itemShapes, textShapes } from './shapes.ts';

export interface GrowthFinding {
  /** The operation, the place in its body and the kind of input. */
  input: string;
  what: string;
  /** A shell command that sends the smallest of the inputs. */
  curl: string;
}

export interface GrowthReport {
  inputs: number;
  /** The input that blocked the event loop for the longest time, in milliseconds. */
  worst: { input: string; delay: number; bytesIn: number };
  findings: GrowthFinding[];
}

export interface GrowthOptions {
  /** Sizes of each input in bytes, each twice the one before. */
  sizes: readonly number[];
  /** Part of the operation's method and path, such as `POST /agent/v1/sessions`. Default: all. */
  only?: string;
  say: (line: string) => void;
}

/** An input that is sent at doubling sizes. */
interface Input {
  name: string;
  request: (bytes: number, known: Known) => FuzzRequest;
}

/**
 * Sends inputs of doubling sizes to every text, list and body that the API description has, and
 * compares the platform's processor time, event-loop delay and answer with the size.
 */
export async function measureGrowth({ sizes, only, say }: GrowthOptions): Promise<GrowthReport> {
  const platform = await startPlatform();
  try {
    const description = await fetch(`${platform.url}/meta/v1/openapi.json`);
    const operations = operationsOf((await description.json()) as ApiDocument).filter(
      ({ method, path }) => `${method} ${path}`.includes(only ?? ''),
    );
    const report: GrowthReport = {
      inputs: 0,
      worst: { input: 'none', delay: 0, bytesIn: 0 },
      findings: [],
    };
    for (const [number, operation] of operations.entries()) {
      say(`${number + 1} of ${operations.length}: ${operation.method} ${operation.path}`);
      let known = await makeCast(platform, `${number}`);
      for (const [at, input] of inputsOf(operation).entries()) {
        report.inputs += 1;
        // The bytes that a user may send in a day are limited, so each input has a user of its own.
        if (operation.credential === 'embedToken') {
          known = await makeCast(platform, `${number}-${at}`);
        }
        const { costs, what } = await judge(
          platform,
          (bytes) => input.request(bytes, known),
          sizes,
        );
        for (const { delay, bytesIn } of costs) {
          if (delay > report.worst.delay) report.worst = { input: input.name, delay, bytesIn };
        }
        if (what === null) continue;
        const curl = toCurl(input.request(sizes[0] ?? 0, known), platform.url);
        report.findings.push({ input: input.name, what, curl });
      }
    }
    return report;
  } finally {
    await platform.close();
  }
}

/** Repeats a measurement that looks steep: a garbage collection does not fall into each of them. */
async function judge(
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
    what = judgeGrowth(costs);
    if (what === null) break;
  }
  return { costs, what };
}

async function costOf(platform: Platform, request: FuzzRequest): Promise<Cost | string> {
  await platform.lap();
  try {
    const answer = await send(platform.port, request);
    const { processor, delay } = await platform.lap();
    const bytesIn = request.body?.byteLength ?? Buffer.byteLength(request.target);
    const bytesOut = Buffer.byteLength(answer?.body ?? '');
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
    request: (bytes, known) => requestOf(operation, known, Buffer.from(makeBody(bytes))),
  });
  const raw = Object.entries(bodyShapes).map(([shape, make]) => input(shape, make));
  const placed = placesOf(operation).flatMap((place) => {
    const where = `/${place.path.join('/')}`;
    const filled = (value: unknown) => JSON.stringify(fill(place, value));
    if (place.kind === 'text') {
      return Object.entries(textShapes).map(([shape, make]) =>
        input(`${where}, ${shape}`, (bytes) => filled(make(bytes))),
      );
    }
    return Object.entries(itemShapes).map(([shape, item]) =>
      input(`${where}, ${shape}`, (bytes) =>
        filled(Array(Math.ceil(bytes / (JSON.stringify(item).length + 1))).fill(item)),
      ),
    );
  });
  return [...raw, ...placed];
}

/** How much smaller a query is than a body: Node refuses a request head of over 16 KiB. */
const queryScale = 256;

function queryInputs(operation: Operation): Input[] {
  const name = `${operation.method} ${operation.path}`;
  return operation.parameters
    .filter(({ in: place }) => place === 'query')
    .flatMap((parameter) =>
      Object.entries(textShapes).map(([shape, make]) => ({
        name: `${name}, ?${parameter.name}, ${shape}`,
        request: (bytes: number, known: Known) => {
          const query = encodeURIComponent(Buffer.from(make(bytes / queryScale)).toString());
          return requestOf(operation, known, null, `?${parameter.name}=${query}`);
        },
      })),
    );
}

function requestOf(
  { method, path, credential }: Operation,
  known: Known,
  body: Buffer | null,
  query = '',
): FuzzRequest {
  const target = path.replace(/(\w+)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
    return `${collection}/${known[`${collection}/${name}`] ?? 'unknown'}`;
  });
  return {
    method,
    target: target + query,
    headers: [
      ['host', '127.0.0.1'],
      ...(credential === 'none' ? [] : [['authorization', `Bearer ${known[credential]}`] as const]),
      ...(credential === 'apiKey' ? [] : [['origin', known.origin ?? ''] as const]),
      ...(body ? [['content-type', 'application/json'] as const] : []),
    ],
    body,
    cutAfter: null,
  };
}
