import { expect } from '../testing/fixture.ts';
import { MessageHistory } from './message-history.ts';

describe('MessageHistory', () => {
  const said = ['first', 'second', 'third'];

  it('goes back from an empty field, one message at a time, and stops at the first', () => {
    const history = new MessageHistory();

    expect(history.step(said, '', -1)).to.equal('third');
    expect(history.step(said, 'third', -1)).to.equal('second');
    expect(history.step(said, 'second', -1)).to.equal('first');
    expect(history.step(said, 'first', -1)).to.equal(null);
  });

  it('comes back to the empty field', () => {
    const history = new MessageHistory();
    history.step(said, '', -1);
    history.step(said, 'third', -1);

    expect(history.step(said, 'second', 1)).to.equal('third');
    expect(history.step(said, 'third', 1)).to.equal('');
    expect(history.step(said, '', 1)).to.equal(null);
  });

  it('leaves a text that somebody is writing', () => {
    const history = new MessageHistory();

    expect(history.step(said, 'Hel', -1)).to.equal(null);
    history.step(said, '', -1);
    expect(history.step(said, 'third, but other', -1)).to.equal(null);
  });

  it('begins anew at the end once the field was emptied', () => {
    const history = new MessageHistory();
    history.step(said, '', -1);
    history.step(said, 'third', -1);

    expect(history.step(said, '', -1)).to.equal('third');
  });

  it('has nothing to offer where nothing was said', () => {
    expect(new MessageHistory().step([], '', -1)).to.equal(null);
  });
});
