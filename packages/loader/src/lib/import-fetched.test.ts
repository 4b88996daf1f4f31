import { expect } from 'chai';
import { importFetched } from './import-fetched.ts';

describe('importFetched', () => {
  it('rejects if the file cannot be fetched, and imports the file when called again', async () => {
    const url = `${location.origin}/unreliable-module/${crypto.randomUUID()}?failures=1`;

    const error = await importFetched(url).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);

    expect(await importFetched(url)).to.have.property('attempts');
  });

  it('names the URL if the request fails without a response', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const error = await importFetched('https://chat.example/launch.js').catch(String);
    globalThis.fetch = fetch;

    expect(error).to.contain('Failed to fetch').and.contain('https://chat.example/launch.js');
  });
});
