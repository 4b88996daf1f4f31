import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { renderComplete } from '../testing/markdown.ts';
import { extras, installExtras } from './extras.ts';
import { targetToShow } from './link-target.ts';

const linkOf = (text: string) => renderComplete(text).querySelector('a');
const shownHost = (text: string) => linkOf(text)?.querySelector('.link-host')?.textContent ?? null;

describe('links in Markdown', () => {
  it('show their host if their text contains another address', () => {
    for (const text of [
      '[bank.example](https://evil.example)',
      '[Log in at **bank.example**/login](https://evil.example)',
      '[`https://bank.example`](https://evil.example)',
      '[BANK.EXAMPLE.](https://evil.example)',
      '[b\u200bank.exam\u00adple](https://evil.example)',
      '[ｂank．example](https://evil.example)',
      '[evil.example.bank.example](https://evil.example)',
      '[help@bank.example](https://evil.example)',
    ]) {
      expect(shownHost(text), text).to.equal('(evil.example)');
    }
    expect(shownHost('[bank.example](https://bаnk.example)')).to.equal('(xn--bnk-6cd.example)');
  });

  it('show their host if their text may contain an address, and are plain text for a phone number, while the lazy-loaded module that compares them is not loaded', () => {
    const before = extras();
    installExtras(undefined);
    try {
      expect(shownHost('[bank.example](https://bank.example)')).to.equal('(bank.example)');
      expect(linkOf('[call](tel:+19005551234)')).to.equal(null);
      expect(shownHost('[the *bank*](https://bank.example)')).to.equal(null);
    } finally {
      installExtras(before);
    }
  });

  it('show their host if their text contains another address in any notation', () => {
    const evil = 'https://evil.example/a';
    for (const text of [
      'https://bank.example',
      'www.bank.example',
      'https://evil.example@bank.example/login',
      'see：https://bank.example:443',
      'bank.example:80',
    ]) {
      expect(targetToShow(text, evil), text).to.equal('evil.example');
    }
    expect(targetToShow('https://evil.example/bank.example', evil)).to.equal(undefined);
    expect(targetToShow('www.evil.example', evil)).to.equal(undefined);
  });

  it('show their e-mail address or phone number if their text contains a different address or number', () => {
    expect(shownHost('[help@bank.example](mailto:a@evil.example)')).to.equal('(a@evil.example)');
    expect(shownHost('[+49 30 1234567](tel:+19005551234)')).to.equal('(+19005551234)');
    expect(shownHost('[bank.example](mailto:a@evil.example)')).to.equal('(a@evil.example)');
    // Letters of other scripts can imitate a domain.
    for (const text of [
      '[help@bаnk.example](mailto:help@bаnk.example)',
      '[write to us](mailto:help@b%D0%B0nk.example)',
    ]) {
      expect(shownHost(text), text).to.equal('(help@xn--bnk-6cd.example)');
    }
    expect(shownHost('[help@xn--bnk-6cd.example](mailto:help@bаnk.example)')).to.equal(null);
  });

  it('show their host if line breaks, formulas, invisible characters or length disguise an address', () => {
    const disguised = [
      '[bank.com\\\nlogin](https://evil.example)',
      '[$\\text{bank}.\\text{com}$](https://evil.example)',
      `[${'\u200b'.repeat(3_000)}bank.example](https://evil.example)`,
      '[https://bank.example\u2044a.evil.example](https://evil.example)',
      '<https://bank.example\u2044a.evil.example>',
      '[https://bank.example\t.evil](<https://bank.example\t.evil>)',
      '[help@bank.example](mailto:%E2%80%AEelpmaxe.knab%40pleh)',
    ].map(shownHost);

    expect(disguised).to.deep.equal([
      '(evil.example)',
      '(evil.example)',
      '(evil.example)',
      '(evil.example)',
      '(bank.xn--examplea-k03d.evil.example)',
      '(bank.example.evil)',
      '(elpmaxe.knab@pleh)',
    ]);
  });

  it('show their host if its letters are not all Latin, or the text contains an address in disguise', () => {
    const homograph = 'xn--pypal-4ve.com';
    for (const text of ['[pаypal.com](https://pаypal.com)', '[Log in](https://pаypal.com)']) {
      expect(shownHost(text), text).to.equal(`(${homograph})`);
    }
    expect(shownHost(`[${homograph}](https://${homograph})`)).to.equal(null);
    for (const text of [
      ...['login.microsoft', 'bank.google', 'bank.photos', 'банк.москва', 'see 银行.网络'],
      ...['192.168.0.1/admin', 'bank。example', 'bank｡com', '见bank.com。谢谢'],
      ...['bank⁄example.com', 'bank∕login', 'bank٠com', 'https://localhost/', 'https://3232235521'],
    ]) {
      expect(targetToShow(text, 'https://evil.example/a'), text).to.equal('evil.example');
    }
    for (const text of ['请看这里。谢谢', 'Version 2.10.3', 'lodash.debounce', 'read.me.first']) {
      expect(targetToShow(text, 'https://a.example/a'), text).to.equal(undefined);
    }
  });

  it('are split at a footnote reference in their text, so that they contain no button', () => {
    const content = renderComplete('[a[^1] b](https://a.example)\n\n[^1]: c');

    expect(content.querySelectorAll('a button')).to.have.length(0);
    expect([...content.querySelectorAll('a')].map((link) => link.textContent)).to.deep.equal([
      'a',
      ' b',
    ]);
  });

  it('show no host if their text contains the same address or no address', () => {
    for (const text of [
      '[The guide](https://a.example/guide)',
      '[a.example](https://www.a.example)',
      '[A.Example](https://docs.a.example/x)',
      '<https://a.example/b.c>',
      '[package.json](https://a.example/package.json)',
      '[Version 2.10.3, e.g. now](https://a.example)',
      '[help@a.example](mailto:help@a.example)',
      '[write to us](mailto:help@a.example)',
      '[030 1234567](tel:+49301234567)',
      '[call us](tel:+49301234567)',
      '[`lodash.debounce`, Array.prototype.map()](https://a.example)',
      '<https://a.example/b.com?c=https://d.example>',
    ]) {
      expect(linkOf(text), text).not.to.equal(null);
      expect(shownHost(text), text).to.equal(null);
    }
  });

  it('have no credentials in their URL, and show their host if the source contains credentials', () => {
    const text = '[Your account](https://bank.example:secret@evil.example/a)';

    expect(linkOf(text)?.href).to.equal('https://evil.example/a');
    expect(linkOf(text)?.textContent).to.equal('Your account (evil.example)');
  });

  it('have no title', () => {
    expect(linkOf('[a](https://evil.example "https://bank.example")')?.title).to.equal('');
    expect(linkOf('[a][b]\n\n[b]: https://evil.example "c"')?.title).to.equal('');
  });

  it('have no bidirectional controls or invisible characters in their text', () => {
    const text = '[\u202emoc.knab\u2066 \u{e0041}`\u202da` *\u2069b*](https://evil.example)';

    expect(linkOf(text)?.textContent).to.equal('moc.knab a b');
  });

  it('open unless the page prevents inlay-link-request', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    element.text = '[a](https://a.example/b) and [c](https://c.example)';
    await element.updateComplete;
    const requested: string[] = [];
    element.addEventListener('inlay-link-request', (event) => {
      requested.push(event.detail.href);
      if (event.detail.href.startsWith('https://c')) event.preventDefault();
    });
    const opened: string[] = [];
    // Runs after the element's handlers, and prevents the links from opening.
    const preventOpening = (event: Event) => {
      if (!event.defaultPrevented) opened.push('page');
      event.preventDefault();
    };
    document.addEventListener('click', preventOpening);
    for (const link of element.shadowRoot?.querySelectorAll('a') ?? []) link.click();
    document.removeEventListener('click', preventOpening);

    expect(requested).to.deep.equal(['https://a.example/b', 'https://c.example/']);
    expect(opened).to.deep.equal(['page']);
  });
});
