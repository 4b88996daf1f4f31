import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createResponseCheck } from './checks/check-response.ts';
import { findFailure, fuzz } from './fuzz.ts';
import { type ApiDocument, operationsOf, segmentsOf } from './requests/document.ts';
import { bytesOf, type FuzzRequest, toCurl } from './requests/request.ts';
import { requestsTo } from './requests/request-arbitrary.ts';

const get = { method: 'GET', target: '/x?a=1&b=2', headers: [], body: null, cutAfter: null };

describe('the platform', () => {
  it('responds to random and invalid requests as its API description says, and rejected requests do not change the store', async () => {
    const { findings, sent } = await fuzz({ requests: 1200, seed: 20_261_121, log: () => {} });

    expect(findings).toEqual([]);
    expect(sent).toBe(1200);
  }, 150_000);
});

describe('the response check', () => {
  const problem = {
    status: 404,
    headers: { 'x-request-id': 'req_1', 'content-type': 'application/problem+json' },
    body: '{}',
    isStream: false,
    milliseconds: 1,
  };
  const document = {
    paths: {
      '/x': {
        get: {
          security: [{ apiKey: [] }],
          parameters: [],
          responses: {
            200: {
              content: { 'application/json': { schema: { type: 'object', required: ['id'] } } },
            },
            404: {
              headers: { 'Retry-After': { required: true } },
              content: { 'application/problem+json': { schema: { type: 'object' } } },
            },
          },
        },
      },
    },
  } satisfies ApiDocument;
  const [operation] = operationsOf(document);
  const check = createResponseCheck();

  it.each([
    ['a status that is not declared', { ...problem, status: 409 }, '409 is not declared'],
    ['a 5xx', { ...problem, status: 503 }, 'The status is 503'],
    ['a 501 that is not declared', { ...problem, status: 501 }, 'The status is 501'],
    ['a missing header', problem, 'has no Retry-After'],
    ['a missing request id', { ...problem, headers: {} }, 'has no X-Request-Id'],
    [
      'a body that does not match its schema',
      {
        ...problem,
        status: 200,
        headers: { ...problem.headers, 'content-type': 'application/json' },
      },
      'does not match its schema',
    ],
    ['an undeclared content type', { ...problem, status: 200 }, 'undeclared content type'],
  ])('finds %s', (_, response, expectedText) => {
    if (!operation) throw new Error('expected an operation');
    expect(check(operation, get, response)).toContain(expectedText);
  });
});

describe('a path template', () => {
  it('has a fixture for each parameter, named after its collection and the parameter', () => {
    expect(segmentsOf('/automation/v1/actions/{ns}/{name}/revisions/{revision}')).toEqual([
      '',
      'automation',
      'v1',
      'actions',
      { fixture: 'actions/ns' },
      { fixture: 'actions/name' },
      'revisions',
      { fixture: 'revisions/revision' },
    ]);
  });
});

describe('a fuzzed request', () => {
  it('is reduced to the parts that make it fail, and found again by its seed and path', async () => {
    const document: ApiDocument = {
      paths: {
        '/x': {
          post: {
            security: [{ apiKey: [] }],
            parameters: ['a', 'b'].map((name) => ({
              name,
              in: 'query' as const,
              required: false,
              schema: { type: 'string' },
            })),
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { good: { type: 'string' }, bad: { const: 2 } },
                  },
                },
              },
            },
            responses: {},
          },
        },
      },
    };
    const requests = requestsTo(operationsOf(document), () => ({}));
    const check = async ({ request }: { request: { target: string; body: Buffer | null } }) =>
      request.target.includes('b=') && request.body?.includes('"bad":2') ? 'Both are there.' : null;

    const found = await findFailure(requests, check, { seed: 1, runs: 1000 });
    const again = await findFailure(requests, check, { seed: 1, runs: 1000, path: found?.path });

    expect(found?.what).toBe('Both are there.');
    expect(found?.value.request.body?.toString()).toBe('{"bad":2}');
    expect(found?.value.request.target).toMatch(/^\/x\?b=\w*$/);
    expect(found?.value.request.headers).toEqual([
      ['host', '127.0.0.1'],
      ['content-type', 'application/json'],
    ]);
    expect(again?.value.request).toEqual(found?.value.request);
  });

  it('can be printed as a curl command that sends the same target, headers and body', async () => {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const header = Buffer.from(String(request.headers.a), 'latin1').toString();
      bodies.push(`${request.url} ${header} ${Buffer.concat(chunks).toString('hex')}`);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    const headers: FuzzRequest['headers'] = [['a', "ü'"]];
    // A shell argument cannot contain NUL, and curl treats a value that starts with `@` as a file name.
    for (const hex of ['7bff275c0a', '7b00ff27', '4061']) {
      const request = { ...get, method: 'POST', headers, body: Buffer.from(hex, 'hex') };
      await promisify(execFile)('bash', ['-c', toCurl(request, url)]);
    }
    server.close();

    expect(bodies).toEqual([
      "/x?a=1&b=2 ü' 7bff275c0a",
      "/x?a=1&b=2 ü' 7b00ff27",
      "/x?a=1&b=2 ü' 4061",
    ]);
  });

  it('is cut off after `cutAfter` bytes', () => {
    expect(bytesOf({ ...get, cutAfter: 5 }).toString()).toBe('GET /');
  });
});
