import { describe, expect, it } from 'vitest';
import { setupClient } from '../testing/client-setup.ts';
import { type PlatformServer, sendProblem } from '../testing/platform-server.ts';
import { codeOf } from '../testing/token-setup.ts';
import { type HostedPage, hostedCode } from './sources/hosted-code.ts';

const code = 'ec_abcdefgh12345678';

/** A page at an address, and the breadcrumbs that an error reporter records. */
function watchedPage(hash: string) {
  const breadcrumbs: string[] = [];
  const location = new URL(`https://chat.example/hosted/${hash}`);
  const page: HostedPage = {
    location,
    document: new EventTarget(),
    history: {
      state: null,
      replaceState(_state, _unused, url) {
        breadcrumbs.push(`navigation to ${url}`);
        location.href = url;
      },
    },
  };
  return { page, breadcrumbs };
}

/**
 * Lets a platform accept the code once, and lose the responses to the first `lost` exchanges.
 *
 * @param arrives Whether the platform receives the lost requests.
 */
function acceptCodeOnce(platform: PlatformServer, { lost = 0, arrives = true } = {}) {
  const posted: unknown[] = [];
  let used = false;
  platform.intercept = ({ path, body }, response) => {
    if (!path.endsWith('/embed/exchange')) return undefined;
    posted.push(body?.code);
    const isValid = body?.code === code && !used;
    if (arrives || posted.length > lost) used = true;
    if (posted.length <= lost) return 'drop';
    if (isValid) response.end('{"token":"et_hosted","expires_at":"2026-01-01T00:05:00Z"}');
    else sendProblem(response, 404, 'NOT_FOUND');
    return 'handled';
  };
  return posted;
}

describe('an exchange whose response is lost', () => {
  it('E07: is retried, and succeeds when the first request did not arrive', async () => {
    const { page } = watchedPage(`#c=${code}`);
    const { client, platform } = await setupClient({ source: hostedCode(page) });
    const posted = acceptCodeOnce(platform, { lost: 1, arrives: false });
    await client.sessions.list();

    expect(posted).toEqual([code, code]);
    expect(platform.received.at(-1)?.token).toBe('et_hosted');
  });

  it('E07: fails with NOT_FOUND when the first request used the code', async () => {
    const { page } = watchedPage(`#c=${code}`);
    const { client, platform } = await setupClient({ source: hostedCode(page) });
    const posted = acceptCodeOnce(platform, { lost: 1 });

    expect(await codeOf(client.config())).toBe('NOT_FOUND');
    expect(await codeOf(client.sessions.list())).toBe('NOT_FOUND');
    expect(posted).toHaveLength(2);
    expect(client.auth).toMatchObject({ status: 'expired', canReconnect: false });
  });
});

describe('the address of a hosted page', () => {
  it.each([
    ['an empty code', '#c='],
    ['a capital C as the name of the parameter', '#C=ec_abcdefgh12345678'],
    ['a code of five characters', '#c=short'],
    ['a code with a line break', '#c=%0D%0Aset-cookie%3A%20a'],
    ['a code of 10 kB', `#c=${'a'.repeat(10_240)}`],
    ['a code with a space', '#c=ec_abcdefgh 2345678'],
    ['no fragment', ''],
  ])('E10: causes no request with %s', async (_what, hash) => {
    const { page } = watchedPage(hash);
    const { client, platform } = await setupClient({ source: hostedCode(page) });

    expect(await codeOf(client.config())).toBe('NOT_FOUND');
    expect(platform.received).toEqual([]);
  });

  it.each([`#x=1&c=${code}`, `#c=&c=${code}`, `#c=${code}&c=ec_another99999999`])(
    'E10: causes an exchange of the first valid code of the fragment “%s”',
    async (hash) => {
      const { page } = watchedPage(hash);
      const { client, platform } = await setupClient({ source: hostedCode(page) });
      const posted = acceptCodeOnce(platform);
      await client.config();

      expect(posted).toEqual([code]);
      expect(page.location.hash).not.toContain('c=');
    },
  );

  it('E11: does not expose the code to error reporters', async () => {
    const { page, breadcrumbs } = watchedPage(`#c=${code}`);
    const source = hostedCode(page);
    // The code is removed synchronously.
    breadcrumbs.push(`page at ${page.location.href}`);
    const { client, platform, diagnostics } = await setupClient({
      source,
      ports: {
        fetch: (url, init) => {
          breadcrumbs.push(`fetch ${String(url)}`);
          return fetch(url, init);
        },
      },
    });
    acceptCodeOnce(platform, { lost: 1 });
    const error: unknown = await client.config().catch((reason: unknown) => reason);
    breadcrumbs.push(String(error), String((error as Error).stack), JSON.stringify(error));
    breadcrumbs.push(
      JSON.stringify(diagnostics),
      JSON.stringify(client.auth),
      JSON.stringify(source),
    );

    expect(diagnostics).not.toEqual([]);
    expect(breadcrumbs[1]).toBe('page at https://chat.example/hosted/');
    expect(breadcrumbs.join('\n')).not.toContain(code);
  });
});
