import { expect } from 'chai';
import { endedBar, notice } from './notice.ts';
import { rememberWayBack, wayBack } from './way-back.ts';

const mounted: Element[] = [];
const mount = (element: HTMLElement) => {
  document.body.append(element);
  mounted.push(element);
  return element;
};

afterEach(() => {
  sessionStorage.clear();
  for (const element of mounted.splice(0)) element.remove();
});

describe('notice', () => {
  it('says what happened under a heading', () => {
    const box = mount(notice('Used already', 'Ask for a new one.'));

    expect(box.querySelector('h1')?.textContent).to.equal('Used already');
    expect(box.querySelector('p')?.textContent).to.equal('Ask for a new one.');
  });

  it('leads back to where the person came from', () => {
    rememberWayBack('https://shop.example/account');

    const link = mount(notice('Used already', 'Ask for a new one.')).querySelector('a');

    expect(link?.href).to.equal('https://shop.example/account');
    expect(link?.textContent).to.equal('Back to shop.example');
  });

  it('shows text as text', () => {
    const box = mount(notice('<img src=x>', '<script>alert(1)</script>'));

    expect(box.querySelector('img, script')).to.equal(null);
  });
});

describe('endedBar', () => {
  it('tells a screen reader at once', () => {
    const bar = mount(endedBar('The link has run out.'));

    expect(bar.querySelector('[role=status]')?.textContent).to.equal('The link has run out.');
  });
});

describe('wayBack', () => {
  it('remembers only web addresses', () => {
    rememberWayBack('javascript:alert(1)');
    rememberWayBack('not an address');
    rememberWayBack(null);

    expect(wayBack()).not.to.match(/javascript|not an/);
  });

  it('does not lead to the very page that failed', () => {
    rememberWayBack(location.href);

    expect(wayBack()).not.to.equal(location.href);
  });
});
