import { expect } from 'chai';
import { createNotice, createWaitingNotice } from './notice.ts';
import { pageStrings } from './page-strings.ts';
import { findReturnUrl } from './return-url.ts';

const mounted: Element[] = [];
const mount = (element: HTMLElement) => {
  document.body.append(element);
  mounted.push(element);
  return element;
};

afterEach(() => {
  for (const meta of document.querySelectorAll('meta[name^=inlay-]')) meta.remove();
  for (const element of mounted.splice(0)) element.remove();
});

/** Adds a fact about the agent to the page, as the platform does. */
function addMeta(name: string, content: string) {
  document.head.append(Object.assign(document.createElement('meta'), { name, content }));
}

const setReturnUrl = (url: string) => addMeta('inlay-return-url', url);

describe('createNotice', () => {
  it('shows a heading and a text', () => {
    const box = mount(createNotice('Used already', 'Ask for a new one.', 'Back to {host}'));

    expect(box.querySelector('h1')?.textContent).to.equal('Used already');
    expect(box.querySelector('p')?.textContent).to.equal('Ask for a new one.');
  });

  it('shows the name of the agent above the heading', () => {
    addMeta('inlay-agent-name', 'Ada <b>');

    const box = mount(createNotice('Used already', 'Ask for a new one.', 'Back to {host}'));

    expect(box.firstElementChild?.textContent).to.equal('Ada <b>');
    expect(box.children[1]?.textContent).to.equal('Used already');
  });

  it('links back to the site that the user came from', () => {
    setReturnUrl('https://shop.example/account');

    const link = mount(
      createNotice('Used already', 'Ask for a new one.', 'Back to {host}'),
    ).querySelector('a');

    expect(link?.href).to.equal('https://shop.example/account');
    expect(link?.textContent).to.equal('Back to shop.example');
  });

  it('does not interpret text as HTML', () => {
    const box = mount(createNotice('<img src=x>', '<script>alert(1)</script>', ''));

    expect(box.querySelector('img, script')).to.equal(null);
  });
});

describe('createWaitingNotice', () => {
  it('disables its retry button from a click until enableRetry() is called', () => {
    let attempts = 0;
    const { element, enableRetry } = createWaitingNotice(pageStrings.en, async () => {
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

describe('findReturnUrl', () => {
  it('does not return a `javascript:` address', () => {
    setReturnUrl('javascript:alert(1)');

    expect(findReturnUrl()).not.to.match(/javascript/);
  });

  it('does not return the address of the page itself', () => {
    setReturnUrl(location.href);

    expect(findReturnUrl()).not.to.equal(location.href);
  });
});
