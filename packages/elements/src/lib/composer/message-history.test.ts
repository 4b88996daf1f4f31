import { expect } from '../testing/fixture.ts';
import { MessageHistory } from './message-history.ts';

describe('MessageHistory', () => {
  const messages = ['first', 'second', 'third'];

  it('goes back one message at a time from an empty field, and stops at the first message', () => {
    const history = new MessageHistory();

    expect(history.step(messages, '', -1)).to.equal('third');
    expect(history.step(messages, 'third', -1)).to.equal('second');
    expect(history.step(messages, 'second', -1)).to.equal('first');
    expect(history.step(messages, 'first', -1)).to.equal(null);
  });

  it('steps forward to later messages and then to the empty field', () => {
    const history = new MessageHistory();
    history.step(messages, '', -1);
    history.step(messages, 'third', -1);

    expect(history.step(messages, 'second', 1)).to.equal('third');
    expect(history.step(messages, 'third', 1)).to.equal('');
    expect(history.step(messages, '', 1)).to.equal(null);
  });

  it('never replaces text that the user typed', () => {
    const history = new MessageHistory();

    expect(history.step(messages, 'Hel', -1)).to.equal(null);
    history.step(messages, '', -1);
    expect(history.step(messages, 'third, but other', -1)).to.equal(null);
  });

  it('restarts at the latest message after the field was cleared', () => {
    const history = new MessageHistory();
    history.step(messages, '', -1);
    history.step(messages, 'third', -1);

    expect(history.step(messages, '', -1)).to.equal('third');
  });

  it('returns null without messages', () => {
    expect(new MessageHistory().step([], '', -1)).to.equal(null);
  });
});
