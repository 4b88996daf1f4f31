import { describe, expect, it, vi } from 'vitest';
import { AuthDeniedError } from '../errors.ts';
import { check, clientOf, diagnose, fastClock, problemsOf } from '../testing/diagnosis-setup.ts';
import {
  closeConnection,
  jsonResponse,
  problemResponse,
  type Routes,
  secret,
  startSite,
  webPage,
} from '../testing/diagnosis-site.ts';
import { anonymousVisitor } from '../tokens/sources/anonymous.ts';
import { fetchToken } from '../tokens/sources/fetch-token.ts';
import { type GetToken, hostTokens } from '../tokens/sources/host.ts';
import { hostedCode } from '../tokens/sources/hosted-code.ts';

describe('checkToken', () => {
  const sources: [string, GetToken, RegExp, typeof fastClock?][] = [
    [
      'getToken throws',
      () => {
        throw new Error(`the backend quotes ${secret}`);
      },
      /getToken failed: it threw/,
    ],
    ['getToken returns null', () => null, /provided no token: .*no user is signed in/],
    [
      'getToken throws AuthDeniedError with a secret in the message',
      () => {
        throw new AuthDeniedError(`no token for ${secret}`);
      },
      /no user is signed in/,
    ],
    ['getToken returns the text "undefined"', () => 'undefined', /it is the string "undefined"/],
    [
      'getToken returns an object',
      () => ({ access: secret }) as unknown as string,
      /it is of type undefined/,
    ],
    [
      'getToken returns a token of another platform',
      () => `et_${secret}_${performance.now()}`,
      /does not know this token/,
      fastClock,
    ],
    [
      'getToken does not settle',
      () => new Promise(() => {}),
      /did not settle within 10 seconds/,
      fastClock,
    ],
  ];
  it.each(sources)('explains a failure when %s', async (_name, getToken, cause, clock) => {
    const { url } = await startSite();
    const report = await diagnose(clientOf(url, hostTokens(getToken), clock && { clock }));

    expect(problemsOf(report)).toEqual(['token: failed']);
    expect(check(report, 'token').cause).toMatch(cause);
    expect(check(report, 'token').remedy).toMatch(/\.$/);
    expect(check(report, 'streaming').cause).toContain('“token”');
  });

  it('names the last failed request of the page when getToken fails', async () => {
    const { url } = await startSite();
    const entry = {
      name: `https://shop.example/api/token?key=${secret}`,
      initiatorType: 'fetch',
      responseStatus: 500,
    } as PerformanceResourceTiming;
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry]);
    const getToken = () => Promise.reject(new Error(secret));
    const report = await diagnose(clientOf(url, hostTokens(getToken)));

    expect(check(report, 'token').cause).toContain('https://shop.example/api/token, with 500.');
  });

  const endpointResponses: [string, Routes, RegExp, RegExp][] = [
    [
      'is 401',
      { 'POST /token': jsonResponse(401, { detail: secret }) },
      /responded with 401/,
      /session cookie/,
    ],
    [
      'is 403',
      { 'POST /token': jsonResponse(403, { detail: secret }) },
      /\/token responded with 403: it rejects/,
      /allow the origin/,
    ],
    [
      'is 404',
      { 'POST /token': webPage(404) },
      /\/token responded with 404/,
      /token-url is the address/,
    ],
    [
      'is 500',
      { 'POST /token': jsonResponse(500, { detail: secret }) },
      /\/token responded with 500/,
      /your backend’s log/,
    ],
    [
      'is a web page',
      { 'POST /token': webPage(200) },
      /\/token responded with 200, but not with JSON/,
      /network panel/,
    ],
    [
      'does not arrive',
      { 'POST /token': closeConnection },
      /its request got no response/,
      /CORS headers/,
    ],
    [
      'is MISCONFIGURED',
      { 'POST /token': jsonResponse(500, { code: 'MISCONFIGURED', detail: secret }) },
      /\/token responded with 500 \(MISCONFIGURED\): its API key, its agent or the policy/,
      /your backend’s log/,
    ],
    [
      'reports a blocked user',
      { 'POST /token': jsonResponse(403, { code: 'EMBED_USER_BLOCKED', detail: secret }) },
      /blocks this end user/,
      /unblock/,
    ],
  ];
  it.each(endpointResponses)(
    'explains a failure when the response of the token endpoint %s',
    async (_name, routes, cause, remedy) => {
      const { url } = await startSite(routes);
      const tokens = hostTokens(fetchToken(`${url}/token?key=${secret}`));
      const report = await diagnose(clientOf(url, tokens));

      expect(problemsOf(report)).toEqual(['token: failed']);
      expect(check(report, 'token').cause).toMatch(cause);
      expect(check(report, 'token').remedy).toMatch(remedy);
    },
  );

  const rejections: [string, number, RegExp, string][] = [
    ['EMBED_TOKEN_EXPIRED', 401, /has expired/, 'failed'],
    ['EMBED_TOKEN_REVOKED', 401, /was revoked/, 'failed'],
    ['EMBED_USER_BLOCKED', 403, /blocks this end user/, 'failed'],
    ['EMBED_QUOTA_EXCEEDED', 429, /daily quota/, 'failed'],
    ['EMBED_BUDGET_EXCEEDED', 402, /budget of this conversation/, 'warning'],
    ['RATE_LIMITED', 429, /too often/, 'warning'],
  ];
  it.each(rejections)(
    'explains a failure when the platform responds with %s',
    async (code, status, cause, outcome) => {
      const { url } = await startSite({
        'GET /agent/v1/embed/config': problemResponse(status, code),
      });
      const tokens = hostTokens(() => `et_${secret}_${performance.now()}`);
      const report = await diagnose(clientOf(url, tokens, { clock: fastClock }));

      expect(problemsOf(report)).toEqual([`token: ${outcome}`]);
      expect(check(report, 'token').cause).toMatch(cause);
      expect(check(report, 'token').facts).toMatchObject({ code });
    },
  );

  it('explains a failure by its status if its code is the name of an inherited member', async () => {
    const { url } = await startSite({
      'GET /agent/v1/embed/config': problemResponse(403, 'constructor'),
    });
    const tokens = hostTokens(() => `et_${secret}_${performance.now()}`);
    const report = await diagnose(clientOf(url, tokens, { clock: fastClock }));

    expect(problemsOf(report)).toEqual(['token: failed']);
    expect(check(report, 'token').cause).toContain('The platform issues no token');
  });

  it('explains that the platform does not know the publishable key', async () => {
    const { url } = await startSite({
      'POST /agent/v1/embed_tokens/anonymous': problemResponse(401, 'AUTHENTICATION_ERROR'),
    });
    const store = { read: () => `vs_${secret}`, write: () => {}, remove: () => {} };
    const report = await diagnose(
      clientOf(url, anonymousVisitor({ publishableKey: 'pk_unknown', store })),
    );
    expect(problemsOf(report)).toEqual(['token: failed']);
    expect(check(report, 'token').cause).toMatch(/does not know the publishable key “pk_unknown”/);
    expect(check(report, 'token').remedy).toContain('publishable-key');
  });

  it('does not exchange the code of a hosted link', async () => {
    const { url, requests } = await startSite();
    const fakeWindow = {
      location: { href: `${url}/#c=${secret}_code`, hash: `#c=${secret}_code` },
      history: { state: null, replaceState: () => {} },
      document: new EventTarget(),
    };
    const report = await diagnose(clientOf(url, hostedCode(fakeWindow)));

    expect(problemsOf(report)).toEqual([]);
    expect(check(report, 'token')).toMatchObject({
      outcome: 'skipped',
      cause: expect.stringContaining('use up the code'),
    });
    expect(requests.filter((name) => name.includes('exchange'))).toEqual([]);
  });
});
