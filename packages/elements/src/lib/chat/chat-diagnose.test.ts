import { InlayError } from '@inlay/client';
import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

const { error } = console;
const warnings: string[] = [];

function setup(options: Partial<InlayChat>) {
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, options);
  mount(chat);
  return { chat, user: new User(chat) };
}

const outcomes = ({ checks }: Awaited<ReturnType<InlayChat['diagnose']>>) =>
  checks.map(({ id, outcome }) => `${id}: ${outcome}`);

describe('diagnostics of inlay-chat', () => {
  beforeEach(() => {
    warnings.length = 0;
    console.error = (text: string) => warnings.push(text);
  });

  afterEach(() => {
    console.error = error;
  });

  it('report a wrong server URL', async () => {
    const { chat } = setup({
      baseUrl: `${location.origin}/nothing-here`,
      getToken: () => 'et_kim_1',
    });
    await chat.updateComplete;

    const report = await chat.diagnose();

    expect(outcomes(report)).to.include('platform: failed').and.include('storage: ok');
    expect(report.text).to.contain('this is not an Inlay platform');
    expect(report.text).not.to.contain('et_kim_1');
  });

  it('are available on a launcher that stays closed', async () => {
    const launcher = document.createElement('inlay-launcher');
    launcher.baseUrl = `${location.origin}/nothing-here`;
    launcher.getToken = () => 'et_kim_1';
    mount(launcher);

    const report = await launcher.diagnose();

    expect(outcomes(report)).to.include('platform: failed');
    expect(launcher.open).to.equal(false);
  });

  it('report a missing option once, on screen and in the console', async () => {
    const { chat, user } = setup({ getToken: () => 'et_kim_1' });
    await user.sees('base-url is missing');

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('<inlay-chat> base-url is missing');
    const report = await chat.diagnose();
    expect(outcomes(report)).to.include('platform: failed');
    expect(report.text).to.contain('base-url is missing');
  });

  it('report a missing token source', async () => {
    const { chat } = setup({ baseUrl: testPlatform().baseUrl });

    const report = await chat.diagnose();

    expect(outcomes(report)).to.include('token: failed');
    expect(report.text).to.contain('None of token-url, getToken and publishable-key is set');
  });

  it('fail with INVALID_OPTION if the chat is not in the document', async () => {
    const rejection = await document
      .createElement('inlay-chat')
      .diagnose()
      .catch((reason: unknown) => reason);

    expect(rejection).to.have.property('code', 'INVALID_OPTION');
  });

  for (const [name, status, type, remedy] of [
    ['404', 404, 'application/json', 'Set token-url'],
    ['a web page', 200, 'text/html', '{ token, expires_at }'],
  ] as const) {
    it(`report once that the token endpoint responds with ${name}`, async () => {
      const tokenUrl = `${location.origin}/nowhere-${status}`;
      const { fetch } = globalThis;
      let requestCount = 0;
      globalThis.fetch = async (input, init) => {
        if (String(input).endsWith('/meta/v1/health')) return Response.json({ status: 'ok' });
        if (!String(input).startsWith(tokenUrl)) return fetch(input, init);
        requestCount += 1;
        return new Response('<h1>Shop</h1>', { status, headers: { 'content-type': type } });
      };
      const { chat } = setup({
        baseUrl: testPlatform().baseUrl,
        tokenUrl: `${tokenUrl}?key=private`,
      });
      let requestsBeforeReport = 0;
      console.error = (text: string) => {
        if (warnings.push(text) === 1) requestsBeforeReport = requestCount;
      };
      await until('the first report', () => warnings.length > 0);
      expect(requestsBeforeReport).to.equal(1);
      await until('another attempt', () => requestCount > 1);
      const { checks } = await chat.diagnose();
      globalThis.fetch = fetch;

      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.contain(`${tokenUrl} responded with ${status}`)
        .and.contain('diagnose()');
      expect(warnings[0]).to.contain(remedy).and.not.to.contain('private');
      const token = checks.find(({ id }) => id === 'token');
      expect(token?.outcome).to.equal('failed');
      expect(token?.cause).to.contain(`${tokenUrl} responded with ${status}`);
    });
  }

  it('report that the first token request failed, without query strings of URLs', async () => {
    const { user } = setup({
      baseUrl: testPlatform().baseUrl,
      getToken: () => {
        throw new InlayError('TOKEN_UNAVAILABLE', 'The endpoint /token?key=private answered 403.');
      },
    });
    await user.sees('Chat is unavailable right now');

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('The endpoint /token answered 403').and.contain('diagnose()');
    expect(warnings[0]).not.to.contain('private');
  });

  it('report once that the origin of the page is not allowed', async () => {
    const platform = testPlatform();
    platform.refuse('EMBED_ORIGIN_NOT_ALLOWED');
    setup({ baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
    await until('the report', () => warnings.length > 0);

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('<inlay-chat> ').and.contain('diagnose()');
  });

  it('log no error when no user is signed in', async () => {
    const platform = testPlatform();
    const { user } = setup({ baseUrl: platform.baseUrl, getToken: () => null });
    await user.sees('Sign in to chat');

    expect(warnings).to.deep.equal([]);
  });

  it('report once that the model failed, and only for the latest answer', async () => {
    const platform = testPlatform();
    const { chat, user } = setup({ baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
    await user.sees('Hello kim');
    await user.say('Where is my order?');
    await until('the session', () => chat.currentSessionId);
    platform.append(
      events.running(),
      {
        type: 'session.error',
        error: {
          type: 'model_request_failed_error',
          message: 'The model rejected the request.',
          retry_status: { type: 'terminal' },
        },
      },
      events.idle(),
    );
    await user.sees('couldn’t answer');
    await until('the report', () => warnings.length > 0);

    platform.append(events.agent('Now it works.'));
    await user.sees('Now it works.');
    expect(warnings).to.have.length(1);
    expect(warnings[0])
      .to.contain('<inlay-chat> The agent’s model failed')
      .and.contain('diagnose()');
  });
});
