import { expect } from 'chai';
import { importFetched } from './import-fetched.ts';

describe('importFetched', () => {
  it('rejects if the file cannot be fetched, and imports the file when called again', async () => {
    const url = `${location.origin}/unreliable-module/${crypto.randomUUID()}?failures=1`;

    const error = await importFetched(url).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);

    expect(await importFetched(url)).to.have.property('attempts');
  });
});
