import { describe, expect, it } from 'vitest';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

async function setup(options: SetupOptions) {
  const server = await setupServer(options);
  const { token } = await server.issue();
  const read = async () => {
    const response = await server.requestAsUser(token, 'GET', '/agent/v1/embed/config');
    return (await response.json()) as Record<string, unknown>;
  };
  return { ...server, read };
}

describe('GET /agent/v1/embed/config', () => {
  it('returns the default features, and no consent text, if nothing is configured', async () => {
    const { read } = await setup({});

    expect(await read()).toMatchObject({
      features: {
        attachments: true,
        feedback: true,
        threads: true,
        edit: true,
        export: true,
        delete: true,
        forget_me: false,
      },
      consent: null,
      modes: [],
    });
  });

  it('returns the current consent text after a change at run time', async () => {
    const { read, backend } = await setup({
      agent: { appearance: { consent: { text: 'An **AI** answers.' } } },
    });
    expect(await read()).toMatchObject({ consent: { text: 'An **AI** answers.' } });

    await backend('POST', '/agent/v1/agents/test', { appearance: { consent: { text: 'New.' } } });

    expect(await read()).toMatchObject({ consent: { text: 'New.' } });
  });

  it('returns the disclosure that an AI answers; null stands for the text of the widget', async () => {
    const disclosureOf = async (appearance: object) =>
      (await (await setup({ agent: { appearance } })).read()).disclosure;

    expect(await disclosureOf({})).toBe(null);
    expect(await disclosureOf({ disclosure: 'A robot.' })).toBe('A robot.');
    expect(await disclosureOf({ disclosure: '' })).toBe('');
  });

  it('returns the welcome card; an invalid card is rejected with a pointer, and changes nothing', async () => {
    const { read, backend } = await setup({});
    const change = (card: object) =>
      backend('POST', '/agent/v1/agents/test', { appearance: { welcome: { card } } });
    const field = { type: 'field', name: 'a', label: 'A', kind: 'choice' };
    const buttons = { type: 'buttons', buttons: [{ label: 'Start', action: 'start' }] };
    const card = { blocks: [{ ...field, kind: 'text' }, buttons] };
    expect(await read()).toMatchObject({ welcome: null });

    expect((await change(card)).status).toBe(200);
    expect(await read()).toMatchObject({ welcome: { card } });

    const pointersOf = async (invalid: object) => {
      const response = await change(invalid);
      expect(response.status).toBe(400);
      const { errors } = (await response.json()) as { errors: { pointer: string }[] };
      return errors.map(({ pointer }) => pointer);
    };
    const pointer = '/appearance/welcome/card/blocks';
    expect(await pointersOf({ blocks: [] })).toContain(pointer);
    expect(await pointersOf({ blocks: [field, buttons] })).toEqual([`${pointer}/0/options`]);
    expect(await pointersOf({ blocks: [{ ...field, kind: 'text' }] })).toEqual([pointer]);
    expect(await read()).toMatchObject({ welcome: { card } });
  });

  it('returns modes that were added at run time; invalid modes are rejected', async () => {
    const { read, backend } = await setup({});
    const change = (modes: object[]) =>
      backend('POST', '/agent/v1/agents/test', { modes, keep_version: true });

    expect((await change([{ id: 'a', label: 'A' }])).status).toBe(200);
    expect(await read()).toMatchObject({ modes: [{ id: 'a', label: 'A' }] });
    const refused = await change([{ id: 'a', label: '' }]);
    expect(await refused.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '/modes/0/label', message: 'must not be empty' }],
    });
  });

  it('adds the platform’s own origin to the image origins if a pattern matches it', async () => {
    const appearance = { image_origins: ['http://localhost:*', 'https://img.example.com'] };
    const matching = await setup({ agent: { appearance }, baseUrl: 'http://localhost:8787' });
    const other = await setup({ agent: { appearance } });

    expect((await matching.read()).image_origins).toEqual([
      ...appearance.image_origins,
      'http://localhost:8787',
    ]);
    expect((await other.read()).image_origins).toEqual(appearance.image_origins);
  });
});
