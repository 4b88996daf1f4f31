import { allowOrigins } from '../options/allowed-origins.ts';
import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

const { fetch } = globalThis;
const { error } = console;
const requests: { url: string; authorization: string | null }[] = [];
const errors: string[] = [];

/** Inserts HTML without a script, and opens a launcher. */
function insert(html: string) {
  const box = document.createElement('div');
  box.innerHTML = html;
  mount(box);
  return box;
}

const sentTo = (origin: string) => requests.filter(({ url }) => url.startsWith(origin));

beforeEach(() => {
  requests.length = 0;
  errors.length = 0;
  console.error = (text: string) => errors.push(text);
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), document.baseURI).href;
    requests.push({ url, authorization: new Headers(init?.headers).get('authorization') });
    if (url.endsWith('/token')) {
      return Response.json({ token: 'et_victim', expires_at: '2099-01-01T00:00:00Z' });
    }
    return new Response(null, { status: 503 });
  };
});

afterEach(() => {
  globalThis.fetch = fetch;
  console.error = error;
});

describe('the elements in injected HTML', () => {
  for (const [name, html] of [
    ['token-url', '<inlay-chat base-url="http://evil.test" token-url="/token"></inlay-chat>'],
    ['a key', '<inlay-chat base-url="http://evil.test" publishable-key="pk_demo"></inlay-chat>'],
    ['a launcher', '<inlay-launcher open base-url="http://evil.test" token-url="/token">'],
    [
      'token-url of another origin',
      `<inlay-chat base-url="${location.origin}" token-url="//evil.test/token"></inlay-chat>`,
    ],
  ] as const) {
    it(`send no request with ${name}, and name the remedy in the console`, async () => {
      const box = insert(html);
      await until('an error', async () => errors.length > 0);

      expect(errors.join()).to.contain('allowOrigins("http://evil.test")').and.contain('property');
      expect(requests).to.deep.equal([]);
      box.remove();
    });
  }

  it('do not receive the function getToken of the page for another origin', async () => {
    let calls = 0;
    const box = insert('<inlay-chat base-url="http://evil.test"></inlay-chat>');
    const chat = box.querySelector('inlay-chat');
    if (!chat) throw new Error('no chat');
    chat.getToken = () => {
      calls += 1;
      return 'et_victim';
    };
    await until('an error', async () => errors.length > 0);

    expect(calls).to.equal(0);
    expect(requests).to.deep.equal([]);
  });

  it('request the token from the page’s origin, although a base element names another', async () => {
    const base = document.createElement('base');
    base.href = 'http://evil.test/';
    document.head.append(base);
    insert(`<inlay-chat base-url="${location.origin}/x" token-url="/token"></inlay-chat>`);

    await until('a token request', async () => requests.length > 0);
    base.remove();

    expect(requests[0]?.url).to.equal(`${location.origin}/token`);
  });
});

describe('base-url of another origin', () => {
  it('is used as soon as a script allows its origin', async () => {
    insert('<inlay-chat base-url="http://allowed.test" token-url="/token"></inlay-chat>');
    await until('an error', async () => errors.length > 0);

    allowOrigins('http://allowed.test/path');

    await until('a request', async () => sentTo('http://allowed.test').length > 0);
    expect(sentTo('http://allowed.test')[0]?.authorization).to.equal('Bearer et_victim');
  });

  it('is used if a script sets it as a property, also of a launcher, and before the upgrade', async () => {
    const chat = document.createElement('inlay-chat');
    mount(Object.assign(chat, { baseUrl: 'http://property.test', tokenUrl: '/token' }));
    await until('a request', async () => sentTo('http://property.test').length > 0);

    const launcher = document.createElement('inlay-launcher');
    const options = { baseUrl: 'http://launcher.test', tokenUrl: '/token', open: true };
    mount(Object.assign(launcher, options));
    await until('a request', async () => sentTo('http://launcher.test').length > 0);

    const parsed = new DOMParser().parseFromString(
      '<inlay-chat token-url="/token"></inlay-chat>',
      'text/html',
    );
    const element = parsed.querySelector('inlay-chat');
    if (!element) throw new Error('no element');
    mount(Object.assign(element, { baseUrl: 'http://early.test' }));
    await until('a request', async () => sentTo('http://early.test').length > 0);
  });
});

it('allowOrigins refuses what is not an address', () => {
  expect(() => allowOrigins('chat.example')).to.throw('allowOrigins: it takes addresses');
});
