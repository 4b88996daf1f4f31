import '../../define-all.ts';
import type { CardEntry } from '@inlay/client';
import type { EntryUiStates } from '../entry-ui-state.ts';
import { english } from '../i18n/strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

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
  rest: Partial<CardEntry> = {},
  uiStates: EntryUiStates = new Map(),
) {
  const element = mount(document.createElement('inlay-card'));
  element.uiStates = uiStates;
  element.entry = entries.card('c', blocks, { card: { title: 'A repair', blocks }, ...rest });
  await element.updateComplete;
  const answers: unknown[] = [];
  const announced: string[] = [];
  element.addEventListener('inlay-entry-card-request', ({ detail }) => answers.push(detail));
  element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
  const control = <T extends HTMLElement = HTMLInputElement>(label: string): T => {
    const root = element.shadowRoot;
    const found = [...(root?.querySelectorAll('label') ?? [])].find(({ textContent }) =>
      textContent?.includes(label),
    );
    if (!(found?.control instanceof HTMLElement)) throw new Error(`There is no field “${label}”.`);
    return found.control as T;
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
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup(form)).element);
  });

  it('passes the accessibility audit with problems', async () => {
    const { element, user } = await setup(form);
    await user.click('Book');
    await element.updateComplete;

    await expectAccessible(element);
  });

  it('passes the accessibility audit once it is answered', async () => {
    const answer = { action: 'book', values: { name: 'Ada' } };

    await expectAccessible((await setup(form, { answer, progress: 'answered' })).element);
  });

  it('answers with what the fields hold, each in its kind, and leaves out what is empty', async () => {
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

  it('says near each field what is wrong, and goes to the first one', async () => {
    const { element, user, answers, announced, control, fill } = await setup(form);
    await fill('E-mail', 'ada at home');
    await fill('People', '9');

    await user.click('Book');
    await element.updateComplete;

    expect(answers).to.deep.equal([]);
    expect(announced).to.deep.equal(['3 fields need a look.']);
    expect(element.shadowRoot?.activeElement).to.equal(control('Your name'));
    const problem = (label: string) => {
      const id = control(label).getAttribute('aria-describedby') ?? '';
      return element.shadowRoot?.getElementById(id)?.textContent?.trim();
    };
    expect(problem('Your name')).to.equal(english.cardMissing);
    expect(problem('E-mail')).to.equal(english.cardNotEmail);
    expect(problem('People')).to.equal('Please enter 8 or less.');
    expect(control('People').ariaInvalid).to.equal('true');
    expect(control('Day').ariaInvalid).to.equal('false');

    await fill('People', '8');
    expect(control('People').ariaInvalid).to.equal('false');
  });

  it('lets a way out that skips the fields through, without values', async () => {
    const { user, answers } = await setup(form);

    await user.click('Not now');

    expect(answers).to.deep.equal([{ key: 'c', action: 'no', values: {} }]);
  });

  it('leads only to addresses that a link may lead to', async () => {
    const { element } = await setup(form);

    const links = deepAll<HTMLAnchorElement>(element, 'a').map(({ href }) => href);
    expect(links).to.deep.equal(['https://example.com/terms']);
  });

  it('keeps what was typed when it is drawn anew, and when another element takes its place', async () => {
    const { element, fill, uiStates } = await setup(form);
    await fill('Your name', 'Ada');

    element.entry = entries.card('c', form);
    await element.updateComplete;
    element.remove();
    const other = await setup(form, {}, uiStates);

    expect(other.control('Your name').value).to.equal('Ada');
  });

  it('is locked once it is answered, and shows what was chosen and sent', async () => {
    const { element, user, answers } = await setup(form, {
      answer: { action: 'book', values: { name: 'Ada', when: 'later', parts: ['w', 'e'] } },
      progress: 'answered',
    });

    expect(deepAll(element, 'input')).to.have.length(0);
    expect(user.text).to.contain('Your name Ada').and.to.contain('When Later');
    expect(user.text).to.contain('Parts Water and Power').and.to.contain('E-mail No answer');
    expect(user.text).to.contain('Chosen: Book').and.to.contain('Sent');
    for (const button of deepAll<HTMLButtonElement>(element, 'button')) button.click();
    expect(answers).to.deep.equal([]);
  });

  it('says when another answer counts, and when the answer was not sent', async () => {
    const { element, user } = await setup(form.slice(-1));
    const answer = { action: 'book', values: {} };
    const become = async (rest: Partial<CardEntry>) => {
      element.entry = entries.card('c', form.slice(-1), rest);
      await element.updateComplete;
    };

    await user.click('Book');
    await become({ answer, progress: 'sending' });
    await become({});
    expect(user.text).to.contain(english.cardNotSent);

    await user.click('Book');
    await become({ answer, progress: 'sending' });
    await become({ answer: { action: 'no', values: {} }, progress: 'answered' });
    expect(user.text).to.contain(english.cardConflict).and.to.contain('Chosen: Not now');
  });

  it('offers the items of a list, and shows pictures only of origins that are allowed', async () => {
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

  it('puts numbers of a table where they can be compared', async () => {
    const { element } = await setup([
      { type: 'table', columns: [{ label: 'Item' }, { label: 'Count' }], rows: [['Socks', 1200]] },
    ]);

    const [text, number] = deepAll(element, 'td');
    expect(number?.textContent).to.equal('1,200');
    expect(getComputedStyle(number ?? element).textAlign).to.equal('end');
    expect(getComputedStyle(text ?? element).textAlign).to.equal('start');
  });

  it('passes over blocks that it does not know, or can not read', async () => {
    const { element } = await setup([
      { type: 'hologram' },
      { type: 'constructor' },
      { type: 'list', items: 'none' },
      { type: 'field', name: 'a' },
      { type: 'chart', kind: 'bar', labels: ['a'], series: [{ label: 'x', values: null }] },
    ]);

    expect(element.shadowRoot?.querySelector('form')).to.equal(null);
  });

  it('takes no answer while the person may not talk', async () => {
    const { element, user } = await setup(form);
    element.locked = true;
    await element.updateComplete;

    expect(user.buttons('Book')[0]?.disabled).to.equal(true);
  });
});
