import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';

const { warn } = console;
const warnings: string[] = [];

const hasWarned = (text: string) => warnings.some((warning) => warning.includes(text));

async function setup(options: Record<string, unknown>, attributes: Record<string, string> = {}) {
  const platform = testPlatform();
  const chat = document.createElement('inlay-chat');
  for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
  mount(chat);
  await new User(chat).sees('Hello kim');
  return chat;
}

describe('unknown options', () => {
  beforeEach(() => {
    warnings.length = 0;
    console.warn = (text: string) => warnings.push(String(text));
  });

  afterEach(() => {
    console.warn = warn;
  });

  it('are reported if set as a property, with the closest known name', async () => {
    await setup({ publishibleKey: 'pk_demo' });

    await until('the report', () => hasWarned('no option “publishibleKey”'));
    expect(hasWarned('Did you mean the property “publishableKey”?')).to.equal(true);
  });

  it('are reported if set as an attribute, also if only a property of that name exists', async () => {
    await setup({}, { visitorstorages: 'memory', 'get-token': 'fetchIt', 'x-data': '{}' });

    await until('both reports', () => hasWarned('“visitorstorages”') && hasWarned('“get-token”'));
    expect(hasWarned('Did you mean the attribute “visitor-storage”?')).to.equal(true);
    expect(hasWarned('Did you mean the property “getToken”?')).to.equal(true);
    expect(warnings).to.have.length(2);
  });

  it('are reported among the keys of `strings`, also if they are set later', async () => {
    const chat = await setup({ strings: { greting: 'Moin!', send: 'Ab damit' } });
    await until('the report', () => hasWarned('no key “greting”'));
    expect(hasWarned('Did you mean “greeting”?')).to.equal(true);

    chat.strings = JSON.parse('{"somethingElse": "x"}');
    await until('the next report', () => hasWarned('no key “somethingElse”'));
    expect(warnings.find((text) => text.includes('somethingElse'))).not.to.contain('Did you mean');
    expect(warnings).to.have.length(2);
  });

  it('do not include attributes and properties that the page sets for itself', async () => {
    await setup(
      { strings: { send: 'Ab damit' }, myRouter: {} },
      { 'data-test': '1', class: 'chat', 'ng-version': '19', 'aria-label': 'Chat' },
    );
    await setup({ strings: { unheardOf: 'x' } });

    await until('the report of the second chat', () => hasWarned('“unheardOf”'));
    expect(warnings).to.have.length(1);
  });

  it('make configure() throw an error that lists the known options', async () => {
    const chat = await setup({});
    const wrong = JSON.parse('{"tokenURL": "/token"}') as object;

    expect(() => chat.configure(wrong)).to.throw(/no option “tokenURL”. It knows: .*tokenUrl/);
  });
});
