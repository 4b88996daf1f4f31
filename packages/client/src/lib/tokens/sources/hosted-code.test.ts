import { describe, expect, it } from 'vitest';
import { createInlayClient } from '../../client.ts';
import { setupClient, until } from '../../testing/client-setup.ts';
import { sendProblem } from '../../testing/platform-server.ts';
import { codeOf } from '../../testing/token-setup.ts';
import { type HostedPage, hostedCode, readCode } from './hosted-code.ts';

/** A page at an address, which records the calls of `history.replaceState`. */
function pageAt(href: string, prerendering = false) {
  const replaced: [unknown, string][] = [];
  const location = new URL(href);
  const document = Object.assign(new EventTarget(), { prerendering });
  const state = { router: 'state' };
  const history = {
    state,
    replaceState(next: unknown, _unused: string, url: string) {
      replaced.push([next, url]);
      location.href = url;
    },
  };
  const page: HostedPage = { location, history, document };
  return { page, replaced, document, state };
}

const code = 'ec_abcdefgh12345678';
const exchanged = { token: 'et_hosted', expires_at: '2026-01-01T00:05:00Z' };

describe('hostedCode', () => {
  it('E10: reads the first valid code', () => {
    const cases: [string, string | null][] = [
      [`#c=${code}`, code],
      ['#c=', null],
      ['', null],
      [`#C=${code}`, null],
      [`#x=1&c=${code}`, code],
      ['#c=aaaaaaaa1&c=bbbbbbbb2', 'aaaaaaaa1'],
      ['#c=%0d%0a&c=bbbbbbbb2', 'bbbbbbbb2'],
      [`#c=${'a'.repeat(10_000)}`, null],
      ['#c=abc%0D%0Aset-cookie', null],
    ];
    for (const [hash, expected] of cases) expect([hash, readCode(hash)]).toEqual([hash, expected]);
  });

  it('E11: removes the code from the address synchronously, and keeps the rest of the address', () => {
    const { page, replaced, state } = pageAt(`https://chat.example/c/1?x=2#a=1&c=${code}`);
    hostedCode(page);
    expect(replaced).toEqual([[state, 'https://chat.example/c/1?x=2#a=1']]);
    const plain = pageAt(`https://chat.example/c/1#c=${code}`);
    hostedCode(plain.page);
    expect(plain.page.location.href).toBe('https://chat.example/c/1');
  });

  it('E11: removes the code even if the exchange fails', async () => {
    const { page } = pageAt(`https://chat.example/#c=${code}`);
    const { client, platform } = await setupClient({ source: hostedCode(page) });
    platform.intercept = ({ path }, response) => {
      if (!path.endsWith('/embed/exchange')) return undefined;
      sendProblem(response, 404, 'NOT_FOUND');
      return 'handled';
    };
    expect(await codeOf(client.config())).toBe('NOT_FOUND');
    expect(page.location.href).not.toContain(code);
    expect(client.auth).toMatchObject({ status: 'expired', canReconnect: false });
    expect(JSON.stringify(client.auth)).not.toContain(code);
  });

  it('E01: exchanges the code once for concurrent callers', async () => {
    const { page } = pageAt(`https://chat.example/#c=${code}`);
    const { client, platform } = await setupClient({ source: hostedCode(page) });
    platform.intercept = ({ path }, response) => {
      if (!path.endsWith('/embed/exchange')) return undefined;
      response.end(JSON.stringify(exchanged));
      return 'handled';
    };
    await Promise.all([client.config(), client.config(), client.sessions.list()]);
    expect(platform.countReceived('POST', /exchange/)).toBe(1);
    expect(platform.received.at(-1)?.token).toBe('et_hosted');
  });

  it('E01: uses one exchange for two clients, even if the first client is closed', async () => {
    const { page } = pageAt(`https://chat.example/#c=${code}`);
    const first = await setupClient({ source: hostedCode(page) });
    const responders: (() => void)[] = [];
    first.platform.intercept = ({ path }, response) => {
      if (!path.endsWith('/embed/exchange')) return undefined;
      responders.push(() => response.end(JSON.stringify(exchanged)));
      return 'handled';
    };
    const firstConfig = codeOf(first.client.config());
    await until(() => responders.length === 1);
    first.client.close();
    const second = createInlayClient({
      baseUrl: first.platform.baseUrl,
      tokens: hostedCode(page),
      draftStore: 'memory',
    });
    const config = second.config();
    responders[0]?.();
    await config;
    second.close();

    expect(await firstConfig).toBe('CLOSED');
    expect(first.platform.countReceived('POST', /exchange/)).toBe(1);
    expect(first.platform.received.at(-1)?.token).toBe('et_hosted');
  });

  it('returns the same source for a page, and another source for a new address of the page', async () => {
    const { page, document } = pageAt(`https://chat.example/#c=${code}`);
    const source = hostedCode(page);
    const { page: next } = pageAt('https://chat.example/#c=ec_another12345');

    expect(hostedCode(page)).toBe(source);
    expect(hostedCode({ ...next, document })).not.toBe(source);
    expect(next.location.hash).toBe('');
  });

  it('E05: exchanges the code of a prerendered page only when the page is shown', async () => {
    const { page, document } = pageAt(`https://chat.example/#c=${code}`, true);
    const { client, platform } = await setupClient({ source: hostedCode(page) });
    platform.intercept = ({ path }, response) => {
      if (!path.endsWith('/embed/exchange')) return undefined;
      response.end(JSON.stringify(exchanged));
      return 'handled';
    };
    const config = client.config();
    await new Promise((resolve) => setImmediate(resolve));
    expect(platform.received).toEqual([]);
    document.dispatchEvent(new Event('prerenderingchange'));
    await config;
    await until(() => platform.countReceived('POST', /exchange/) === 1);
  });
});
