import { InlayError } from '@inlay/client';
import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { testPlatform } from '../testing/platform.ts';
import { User } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

const warn = console.warn;
const warnings: string[] = [];

function setup(options: Partial<InlayChat>) {
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, options);
  mount(chat);
  return { chat, user: new User(chat) };
}

const outcomes = ({ checks }: Awaited<ReturnType<InlayChat['diagnose']>>) =>
  checks.map(({ id, outcome }) => `${id}: ${outcome}`);

describe('what a developer is told', () => {
  beforeEach(() => {
    warnings.length = 0;
    console.warn = (text: string) => warnings.push(text);
  });

  afterEach(() => {
    console.warn = warn;
  });

  it('is what is wrong with the platform’s address, one check after another', async () => {
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

  it('is the same by a launcher, which stays closed', async () => {
    const launcher = document.createElement('inlay-launcher');
    launcher.baseUrl = `${location.origin}/nothing-here`;
    launcher.getToken = () => 'et_kim_1';
    mount(launcher);

    const report = await launcher.diagnose();

    expect(outcomes(report)).to.include('platform: failed');
    expect(launcher.opened).to.equal(false);
  });

  it('is what the page forgot, once, on the screen and in the console', async () => {
    const { chat, user } = setup({ getToken: () => 'et_kim_1' });
    await user.sees('base-url is missing');

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('<inlay-chat> base-url is missing');
    const rejection = await chat.diagnose().catch((reason: unknown) => reason);
    expect(rejection).to.have.property('code', 'INVALID_OPTION');
  });

  it('is that there never was a first token, without the query of any address', async () => {
    const { user } = setup({
      baseUrl: testPlatform().baseUrl,
      getToken: () => {
        throw new InlayError('TOKEN_UNAVAILABLE', 'The endpoint /token?key=private answered 403.');
      },
    });
    await user.sees('The chat can’t start just now');

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('The endpoint /token answered 403').and.contain('diagnose()');
    expect(warnings[0]).not.to.contain('private');
  });

  it('is nothing where only the person is concerned', async () => {
    const platform = testPlatform();
    const { user } = setup({ baseUrl: platform.baseUrl, getToken: () => null });
    await user.sees('Sign in to chat');

    expect(warnings).to.deep.equal([]);
  });
});
