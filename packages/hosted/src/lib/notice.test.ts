import { expect } from 'chai';
import { notice, waitingNotice } from './notice.ts';
import { pageStrings } from './page-strings.ts';
import { returnUrl } from './return-url.ts';

const mounted: Element[] = [];
const mount = (element: HTMLElement) => {
  document.body.append(element);
  mounted.push(element);
  return element;
};

afterEach(() => {
  document.querySelector('meta[name=inlay-return-url]')?.remove();
  for (const element of mounted.splice(0)) element.remove();
});

/** Adds the return URL to the page, as the platform does. */
function setReturnUrl(url: string) {
  const meta = document.createElement('meta');
  meta.name = 'inlay-return-url';
  meta.content = url;
  document.head.append(meta);
}

describe('notice', () => {
  it('shows a heading and a text', () => {
    const box = mount(notice('Used already', 'Ask for a new one.', 'Back to {host}'));

    expect(box.querySelector('h1')?.textContent).to.equal('Used already');
    expect(box.querySelector('p')?.textContent).to.equal('Ask for a new one.');
  });

  it('links back to the site that the user came from', () => {
    setReturnUrl('https://shop.example/account');

    const link = mount(
      notice('Used already', 'Ask for a new one.', 'Back to {host}'),
    ).querySelector('a');

    expect(link?.href).to.equal('https://shop.example/account');
    expect(link?.textContent).to.equal('Back to shop.example');
  });

  it('does not interpret text as HTML', () => {
    const box = mount(notice('<img src=x>', '<script>alert(1)</script>', ''));

    expect(box.querySelector('img, script')).to.equal(null);
  });
});

describe('waitingNotice', () => {
  it('disables its retry button from a click until enableRetry() is called', () => {
    let attempts = 0;
    const { element, enableRetry } = waitingNotice(pageStrings.en, async () => {
      attempts += 1;
    });
    mount(element);
    const button = element.querySelector('button');

    button?.click();
    button?.click();
    expect(attempts).to.equal(1);
    expect(button?.textContent).to.equal('Trying…');

    enableRetry();
    expect(button?.textContent).to.equal('Try again');
    button?.click();
    expect(attempts).to.equal(2);
  });
});

describe('returnUrl', () => {
  it('never returns a `javascript:` address', () => {
    setReturnUrl('javascript:alert(1)');

    expect(returnUrl()).not.to.match(/javascript/);
  });

  it('does not return the address of the page itself', () => {
    setReturnUrl(location.href);

    expect(returnUrl()).not.to.equal(location.href);
  });
});
