import { AssetPage, LibraryPage, MediaEventPage } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';

const base = '/media/v1/libraries';
const film = { name: 'Film', url: 'https://files.example.com/film.mp4', media_type: 'video/mp4' };

async function setup() {
  const { backend, clock } = await setupServer();
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend(method, `${base}${path}`, body);
    return { status: response.status, body: await response.json() };
  };
  const { body: library } = await call('POST', '', { name: 'Films', description: 'All films' });
  const path = `/${library.id}`;
  const events = async (query = '') =>
    MediaEventPage.parse((await call('GET', `${path}/events${query}`)).body);
  return { call, clock, library, path, events };
}

describe('2.6, 6.2: the event log of a media library', () => {
  it('contains the status changes of the library and the changes of its assets', async () => {
    const { call, path, events, library } = await setup();
    const { body: asset } = await call('POST', `${path}/assets`, film);
    const assetPath = `${path}/assets/${asset.id}`;
    await call('POST', assetPath, { name: 'The film', url: film.url });
    await call('POST', assetPath, { name: 'The film' });
    await call('DELETE', assetPath);
    await call('DELETE', path);
    await call('POST', `${path}/restore`, {});

    const { data } = await events();
    expect(data.map(({ type, asset_id, detail }) => [type, asset_id, detail])).toEqual([
      ['library.status_provisioning', undefined, undefined],
      ['library.status_active', undefined, undefined],
      ['asset.created', asset.id, undefined],
      ['asset.updated', asset.id, { name: 'The film' }],
      ['asset.deleted', asset.id, undefined],
      ['library.status_deleting', undefined, undefined],
      ['library.restored', undefined, undefined],
    ]);
    expect(new Set(data.map(({ library_id }) => library_id))).toEqual(new Set([library.id]));
  });

  it('contains no change of an asset after its deletion, even if change and deletion arrive simultaneously', async () => {
    const { call, path, events } = await setup();
    const { body: asset } = await call('POST', `${path}/assets`, film);
    const assetPath = `${path}/assets/${asset.id}`;

    const [deleted, changed] = await Promise.all([
      call('DELETE', assetPath),
      call('POST', assetPath, { name: 'The film' }),
    ]);

    const types = (await events()).data.slice(3).map(({ type }) => type);
    expect(deleted.status).toBe(200);
    expect([changed.status, types]).toEqual(
      changed.status === 200 ? [200, ['asset.updated', 'asset.deleted']] : [404, ['asset.deleted']],
    );
  });

  it('contains one event for identical changes that arrive simultaneously', async () => {
    const { call, path, events } = await setup();
    const { body: asset } = await call('POST', `${path}/assets`, film);
    const change = () => call('POST', `${path}/assets/${asset.id}`, { name: 'The film' });

    const changes = await Promise.all([change(), change(), change()]);

    expect(changes.map(({ body }) => body.name)).toEqual(Array(3).fill('The film'));
    expect((await events()).data.slice(3).map(({ type }) => type)).toEqual(['asset.updated']);
  });

  it('4.11: can be read in pages by seq, ascending or descending', async () => {
    const { call, path, events } = await setup();
    await call('POST', `${path}/assets`, film);
    const seqs = async (query: string) => {
      const { data, next_cursor } = await events(query);
      return [data.map(({ seq }) => seq), next_cursor];
    };

    expect(await seqs('?limit=2')).toEqual([[1, 2], '2']);
    expect(await seqs('?limit=2&after_seq=2')).toEqual([[3], null]);
    expect(await seqs('?limit=2&before_seq=4')).toEqual([[3, 2], '2']);
    const conflict = await call('GET', `${path}/events?after_seq=1&before_seq=2`);
    expect(conflict.body).toMatchObject({ status: 400, code: 'INVALID_PARAMS' });
  });
});

describe('the assets of a media library', () => {
  it('are listed in pages, newest first', async () => {
    const { call, path, clock } = await setup();
    for (const name of ['a', 'b', 'c']) {
      await call('POST', `${path}/assets`, { ...film, name });
      clock.advance(1000);
    }

    const first = AssetPage.parse((await call('GET', `${path}/assets?limit=2`)).body);
    const second = AssetPage.parse(
      (await call('GET', `${path}/assets?limit=2&page=${first.next_page}`)).body,
    );

    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(second.next_page).toBeNull();
  });

  it('cannot be changed while the library is being deleted, and are deleted with it', async () => {
    const { call, path, clock } = await setup();
    const { body: asset } = await call('POST', `${path}/assets`, film);
    await call('DELETE', path);

    const refused = await call('DELETE', `${path}/assets/${asset.id}`);
    expect(refused.body).toMatchObject({ code: 'CONFLICT' });

    clock.advance(8 * 86_400_000);
    await expect
      .poll(async () => (await call('GET', `${path}/assets/${asset.id}`)).status)
      .toBe(404);
  });

  it.each([
    [{ ...film, url: 'http://files.example.com/film.mp4' }, '/url'],
    [{ ...film, url: 'javascript:alert(1)' }, '/url'],
    [{ ...film, media_type: 'video' }, '/media_type'],
    [{ ...film, name: ' ' }, '/name'],
  ])('are refused if a field is invalid: %j', async (body, pointer) => {
    const { call, path } = await setup();

    const refused = await call('POST', `${path}/assets`, body);

    expect(refused.body).toMatchObject({ code: 'INVALID_PARAMS', errors: [{ pointer }] });
  });

  it('are not found in another library', async () => {
    const { call, path } = await setup();
    const { body: asset } = await call('POST', `${path}/assets`, film);
    const { body: other } = await call('POST', '', { name: 'Other' });

    expect((await call('GET', `/${other.id}/assets/${asset.id}`)).status).toBe(404);
    expect((await call('GET', `/${asset.id}/events`)).status).toBe(404);
    const libraries = LibraryPage.parse((await call('GET', '')).body);
    expect(libraries.data.map(({ name }) => name).sort()).toEqual(['Films', 'Other']);
  });
});
