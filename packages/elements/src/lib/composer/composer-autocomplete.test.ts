import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { setupComposer as setup } from '../testing/composer.ts';
import { expect } from '../testing/fixture.ts';
import { until } from '../testing/user.ts';

describe('inlay-composer with commands and mentions', () => {
  it('lists the commands that match the input, and runs the chosen command', async () => {
    const inputs: string[] = [];
    const { element, user, type, sent, options } = await setup({
      commands: [
        { name: 'clear', description: 'Start again', run: (input) => inputs.push(input) },
        { name: 'summary', description: 'Sum it up', prompt: 'Sum up our conversation.' },
      ],
    });
    await type('/');
    await until('two options', () => options().length === 2);
    expect(options().map((option) => option.getAttribute('aria-selected'))).to.deep.equal([
      'true',
      'false',
    ]);
    await expectAccessible(element);

    await type('/cl');
    await until('one option', () => options().length === 1);
    user.press('Enter');
    await element.updateComplete;

    expect(inputs).to.deep.equal(['']);
    expect(sent).to.deep.equal([]);
    expect(user.field.value).to.equal('');
    expect(options()).to.have.length(0);
  });

  it('sends the prompt of a command with the text that follows the command’s name', async () => {
    const { element, user, type, sent } = await setup({
      commands: [{ name: 'translate', takesInput: true, prompt: 'Translate: {input}' }],
    });
    await type('/translate good night');

    user.press('Enter');
    await element.updateComplete;

    expect(sent.map(({ text }) => text)).to.deep.equal(['Translate: good night']);
    expect(element.value).to.equal('');
  });

  it('runs no command while sending is disabled, and keeps the text if the page prevents inlay-submit-request', async () => {
    const { element, user, type, sent, options } = await setup({
      commands: [{ name: 'summary', prompt: 'Sum it up.' }],
      sendingDisabled: true,
    });
    await type('/sum');
    await until('the option', () => options().length === 1);
    user.press('Enter');
    expect(sent).to.deep.equal([]);
    expect(user.field.value).to.equal('/sum');

    element.sendingDisabled = false;
    await element.updateComplete;
    element.addEventListener('inlay-submit-request', (event) => event.preventDefault());
    await type('/summary');
    await until('the option', () => options().length === 1);
    user.press('Enter');
    await element.updateComplete;
    expect(user.field.value).to.equal('/summary');
    user.press('Enter');
    await element.updateComplete;
    expect(user.field.value).to.equal('/summary');
  });

  it('sends text with an unknown command unchanged', async () => {
    const { user, type, sent } = await setup({ commands: [{ name: 'clear' }] });
    await type('/etc/hosts is broken');

    user.press('Enter');

    expect(sent[0]?.text).to.equal('/etc/hosts is broken');
  });

  it('moves through the list with the arrow keys, and closes it with Escape without stopping the answer', async () => {
    const { element, user, type, options } = await setup({
      commands: [{ name: 'one' }, { name: 'two' }],
      running: true,
    });
    let stopped = false;
    element.addEventListener('inlay-stop', () => {
      stopped = true;
    });
    await type('/');
    await until('the options', () => options().length === 2);
    const active = () => user.field.getAttribute('aria-activedescendant');
    const first = active();

    user.press('ArrowDown');
    await element.updateComplete;
    expect(active()).not.to.equal(first);
    user.press('ArrowDown');
    await element.updateComplete;
    expect(active()).to.equal(first);

    expect(user.press('Escape').defaultPrevented).to.equal(true);
    await element.updateComplete;
    expect(options()).to.have.length(0);
    expect(stopped).to.equal(false);
  });

  it('inserts a mention, and sends its id with the message', async () => {
    const queries: string[] = [];
    const { element, user, type, sent, options } = await setup({
      findMentions: async (query) => {
        queries.push(query);
        return [{ id: 'u_7', label: 'Grace Hopper', description: 'Support' }];
      },
    });
    await type('Ask @gra');
    await until('the option', () => options().length === 1);
    options()[0]?.click();
    await element.updateComplete;
    expect(user.field.value).to.equal('Ask @Grace Hopper ');
    expect(queries).to.deep.equal(['gra']);
    await type('Ask @Grace Hopper about it');

    user.press('Enter');

    expect(sent[0]?.mentions).to.deep.equal([{ id: 'u_7', label: 'Grace Hopper' }]);
  });

  it('does not send a mention whose label was removed from the text', async () => {
    const { element, user, type, sent, options } = await setup({
      findMentions: () => [{ id: 'u_7', label: 'Grace' }],
    });
    await type('@');
    await until('the option', () => options().length === 1);
    user.press('Tab');
    await element.updateComplete;
    await type('Never mind');

    user.press('Enter');

    expect(sent[0]?.mentions).to.deep.equal([]);
  });

  it('distinguishes two mentions when one label is a prefix of the other', async () => {
    const { element, user, type, sent, options } = await setup({
      findMentions: (query) => [{ id: query, label: query }],
    });
    for (const text of ['@Ann', '@Ann @Anna']) {
      await type(text);
      await until('the option', () => options().length === 1);
      user.press('Tab');
      await element.updateComplete;
    }
    await type('@Anna only');

    user.press('Enter');

    expect(sent[0]?.mentions).to.deep.equal([{ id: 'Anna', label: 'Anna' }]);
  });

  it('sends the text if the lookup of mentions fails, and reports the failure', async () => {
    const failure = new Error('down');
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    const { user, type, sent } = await setup({ findMentions: () => Promise.reject(failure) });
    await type('Mail ada@');
    await type('Ask @x');
    await until('the report', () => reported.length > 0);
    await user.seesNo('Searching…');

    user.press('Enter');

    expect(sent[0]?.text).to.equal('Ask @x');
    expect(reported[0]).to.equal(failure);
    globalThis.reportError = reportError;
  });
});
