import '../../define-all.ts';
import type { CardEntry } from '@inlay/client';
import type { EntryUiStates } from '../entry-ui-state.ts';
import { english } from '../i18n/all-strings.ts';
import { loadElement } from '../lazy-elements.ts';
import { extras, installExtras } from '../markdown/extras.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';

const form: CardEntry['card']['blocks'] = [
  { type: 'text', text: 'Tell us **more**.' },
  { type: 'field', name: 'name', label: 'Your name', kind: 'text', required: true },
  { type: 'field', name: 'mail', label: 'E-mail', kind: 'email' },
  { type: 'field', name: 'people', label: 'People', kind: 'number', min: 1, max: 8 },
  { type: 'field', name: 'day', label: 'Day', kind: 'date' },
  {
    type: 'field',
    name: 'room',
    label: 'Room',
    kind: 'select',
    options: [{ value: 'k', label: 'Kitchen' }],
  },
  {
    type: 'field',
    name: 'when',
    label: 'When',
    kind: 'choice',
    options: [
      { value: 'now', label: 'Today' },
      { value: 'later', label: 'Later' },
    ],
  },
  {
    type: 'field',
    name: 'parts',
    label: 'Parts',
    kind: 'choices',
    options: [
      { value: 'w', label: 'Water' },
      { value: 'e', label: 'Power' },
    ],
  },
  { type: 'field', name: 'story', label: 'Story', kind: 'multiline', value: 'It broke.' },
  { type: 'field', name: 'terms', label: 'I agree', kind: 'checkbox' },
  {
    type: 'buttons',
    buttons: [
      { label: 'Book', action: 'book', style: 'primary' },
      { label: 'Not now', action: 'no', skips_fields: true },
      { label: 'Terms', url: 'https://example.com/terms' },
      { label: 'Trap', url: 'javascript:alert(1)' },
    ],
  },
];

async function setup(
  blocks: CardEntry['card']['blocks'],
  overrides: Partial<CardEntry> = {},
  uiStates: EntryUiStates = new Map(),
) {
  const element = mount(document.createElement('inlay-card'));
  element.uiStates = uiStates;
  element.entry = entries.card('c', blocks, { card: { title: 'A repair', blocks }, ...overrides });
  await element.updateComplete;
  const answers: unknown[] = [];
  const announced: string[] = [];
  element.addEventListener('inlay-entry-card-request', ({ detail }) => answers.push(detail));
  element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
  const control = <T extends HTMLElement = HTMLInputElement>(label: string): T => {
    const root = element.shadowRoot;
    const labelElement = [...(root?.querySelectorAll('label') ?? [])].find(({ textContent }) =>
      textContent?.includes(label),
    );
    if (!(labelElement?.control instanceof HTMLElement))
      throw new Error(`There is no field “${label}”.`);
    return labelElement.control as T;
  };
  const fill = async (label: string, value: string) => {
    const field = control(label);
    field.value = value;
    field.dispatchEvent(new InputEvent('input'));
    field.dispatchEvent(new Event('change'));
    await element.updateComplete;
  };
  return { element, user: new User(element), answers, announced, control, fill, uiStates };
}

describe('inlay-card', () => {
  it('shows the primary button last', async () => {
    const { element } = await setup(form);
    const labels = deepAll(element, '.buttons > *').map(({ textContent }) => textContent?.trim());
    expect(labels.at(-1)).to.equal('Book');
    expect(labels).to.have.length(3);
  });

  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup(form)).element);
  });

  it('passes the accessibility audit with invalid fields', async () => {
    const { element, user } = await setup(form);
    await user.click('Book');
    await element.updateComplete;

    await expectAccessible(element);
  });

  it('passes the accessibility audit after it was answered', async () => {
    const answer = { action: 'book', values: { name: 'Ada' } };

    await expectAccessible((await setup(form, { answer, progress: 'answered' })).element);
  });

  it('sends the values of the fields with their types, and omits empty fields', async () => {
    const { user, answers, control, fill } = await setup(form);
    await fill('Your name', '  Ada ');
    await fill('People', '2,5');
    await fill('Room', 'k');
    control('Later').click();
    control('Power').click();
    control('Water').click();
    control('I agree').click();

    await user.click('Book');

    expect(answers).to.deep.equal([
      {
        key: 'c',
        action: 'book',
        values: {
          name: 'Ada',
          people: 2.5,
          room: 'k',
          when: 'later',
          parts: ['w', 'e'],
          story: 'It broke.',
          terms: true,
        },
      },
    ]);
  });

  it('is announced once, unless it has been answered', async () => {
    const element = mount(document.createElement('inlay-card'));
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    const show = async (key: string, overrides: Partial<CardEntry>) => {
      element.entry = entries.card(key, form, overrides);
      await element.updateComplete;
    };

    await show('a', { card: { title: 'A repair', blocks: form } });
    await show('b', {});
    await show('a', { card: { title: 'A repair', blocks: form } });
    await show('c', { progress: 'answered', answer: { action: 'no', values: {} } });

    expect(announced).to.deep.equal(['Card: A repair', 'Card']);
  });

  it('shows a message at each invalid field, and focuses the first invalid field', async () => {
    const { element, user, answers, announced, control, fill } = await setup(form);
    await fill('E-mail', 'ada at home');
    await fill('People', '9');

    await user.click('Book');
    await element.updateComplete;

    expect(answers).to.deep.equal([]);
    expect(announced).to.deep.equal(['3 fields need attention.']);
    expect(element.shadowRoot?.activeElement).to.equal(control('Your name'));
    const problem = (label: string) => {
      const id = control(label).getAttribute('aria-describedby') ?? '';
      return element.shadowRoot?.getElementById(id)?.textContent?.trim();
    };
    expect(problem('Your name')).to.equal(english.cardMissing);
    expect(problem('E-mail')).to.equal(english.cardNotEmail);
    expect(problem('People')).to.equal('Enter 8 or less.');
    expect(control('People').ariaInvalid).to.equal('true');
    expect(control('Day').ariaInvalid).to.equal('false');

    await fill('People', '8');
    expect(control('People').ariaInvalid).to.equal('false');
  });

  it('sends no values for a button that skips the fields', async () => {
    const { user, answers } = await setup(form);

    await user.click('Not now');

    expect(answers).to.deep.equal([{ key: 'c', action: 'no', values: {} }]);
  });

  it('renders no links to unsafe addresses', async () => {
    const { element } = await setup(form);

    const links = deepAll<HTMLAnchorElement>(element, 'a').map(({ href }) => href);
    expect(links).to.deep.equal(['https://example.com/terms']);
  });

  it('keeps typed values when it is rendered again, and when another element replaces it', async () => {
    const { element, fill, uiStates } = await setup(form);
    await fill('Your name', 'Ada');

    element.entry = entries.card('c', form);
    await element.updateComplete;
    element.remove();
    const other = await setup(form, {}, uiStates);

    expect(other.control('Your name').value).to.equal('Ada');
  });

  it('is disabled after it was answered, and shows the reply', async () => {
    const { element, user, answers } = await setup(form, {
      answer: { action: 'book', values: { name: 'Ada', when: 'later', parts: ['w', 'e'] } },
      progress: 'answered',
    });

    expect(deepAll(element, 'input')).to.have.length(0);
    expect(user.text).to.contain('Your name Ada').and.to.contain('When Later');
    expect(user.text).to.contain('Parts Water and Power').and.to.contain('E-mail No answer');
    expect(user.text).to.contain('Chosen: Book').and.not.to.contain('Sent');
    expect(deepAll(element, 'button')).to.have.length(1);
    for (const button of deepAll<HTMLButtonElement>(element, 'button')) button.click();
    expect(answers).to.deep.equal([]);
  });

  it('shows that the reply was not sent, or that another reply was accepted', async () => {
    const { element, user } = await setup(form.slice(-1));
    const answer = { action: 'book', values: {} };
    const update = async (overrides: Partial<CardEntry>) => {
      element.entry = entries.card('c', form.slice(-1), overrides);
      await element.updateComplete;
    };

    await user.click('Book');
    await update({ answer, progress: 'sending' });
    await update({});
    expect(user.text).to.contain(english.cardNotSent);

    await user.click('Book');
    await update({ answer, progress: 'sending' });
    await update({ answer: { action: 'no', values: {} }, progress: 'answered' });
    expect(user.text).to.contain(english.cardConflict).and.to.contain('Chosen: Not now');
  });

  it('sends the action of a chosen list item, and loads no image from an origin that is not allowed', async () => {
    const { element, user, answers } = await setup([
      {
        type: 'list',
        items: [
          { title: 'Blue', text: '42', action: 'blue', image: 'https://evil.example/x.png' },
          { title: 'Read', url: 'https://example.com' },
        ],
      },
      { type: 'image', url: 'https://evil.example/p.png', alt: 'A [map]' },
    ]);

    expect(deepAll(element, 'img')).to.have.length(0);
    expect(user.text).to.contain('evil.example');
    deepAll(element, 'button[value=blue]')[0]?.click();
    expect(answers).to.deep.equal([{ key: 'c', action: 'blue', values: {} }]);
  });

  it('formats numbers in tables and aligns them to the end', async () => {
    const { element } = await setup([
      { type: 'table', columns: [{ label: 'Item' }, { label: 'Count' }], rows: [['Socks', 1200]] },
    ]);

    const [text, number] = deepAll(element, 'td');
    expect(number?.textContent).to.equal('1,200');
    expect(getComputedStyle(number ?? element).textAlign).to.equal('end');
    expect(getComputedStyle(text ?? element).textAlign).to.equal('start');
  });

  it('skips unknown and invalid blocks', async () => {
    const { element } = await setup([
      { type: 'hologram' },
      { type: 'constructor' },
      { type: 'list', items: 'none' },
      { type: 'field', name: 'a' },
      { type: 'chart', kind: 'bar', labels: ['a'], series: [{ label: 'x', values: null }] },
    ]);

    expect(element.shadowRoot?.querySelector('form')).to.equal(null);
  });

  it('disables its buttons while it is locked', async () => {
    const { element, user } = await setup(form);
    element.locked = true;
    await element.updateComplete;

    expect(user.buttons('Book')[0]?.disabled).to.equal(true);
  });

  it('shows the host of a link whose text contains another address or whose letters are not all Latin', async () => {
    const evil = 'https://evil.example/login';
    const blocks: CardEntry['card']['blocks'] = [
      {
        type: 'buttons',
        buttons: [
          { label: 'Open bank.example', url: evil },
          { label: 'Your bank', url: 'https://b\u0430nk.example' },
          { label: 'Terms', url: evil },
          { label: 'evil.example', url: evil },
        ],
      },
      {
        type: 'list',
        items: [
          { title: 'Sign in', text: 'https://bank.example', url: evil },
          { title: 'Sign in', url: evil },
        ],
      },
    ];
    const targets = async () => {
      const { element } = await setup(blocks);
      return deepAll(element, 'a').map((each) => each.querySelector('.target')?.textContent);
    };
    await loadElement('markdown-extras');
    expect(await targets()).to.deep.equal([
      ...['(evil.example)', '(xn--bnk-6cd.example)', undefined, undefined],
      ...['(evil.example)', undefined],
    ]);

    const before = extras();
    installExtras(undefined);
    try {
      // Without the module that compares them, each text that may contain an address has the host.
      expect(await targets()).to.deep.equal([
        ...['(evil.example)', '(xn--bnk-6cd.example)', undefined, '(evil.example)'],
        ...['(evil.example)', undefined],
      ]);
    } finally {
      installExtras(before);
    }
  });

  it('has one direction, that of its first letter, on a page of either direction', async () => {
    const blocks: CardEntry['card']['blocks'] = [
      { type: 'text', text: 'Docker runs.\n\n- npm\n\nיום טוב' },
      { type: 'field', name: 'name', label: 'Name', kind: 'text' },
    ];
    const directions = async (title: string) => {
      const { element } = await setup(blocks, { card: { title, blocks } });
      await loadElement('inlay-markdown');
      return until('the text', () => {
        const found = deepAll(element, 'h3, p, li, .field');
        return found.length >= 5 && found.map((each) => getComputedStyle(each).direction);
      });
    };

    expect(new Set(await directions('שלום'))).to.deep.equal(new Set(['rtl']));
    expect(new Set(await directions('A repair'))).to.deep.equal(new Set(['ltr']));
    document.documentElement.dir = 'rtl';
    expect(new Set(await directions(''))).to.deep.equal(new Set(['ltr']));
    document.documentElement.dir = '';
  });
});
