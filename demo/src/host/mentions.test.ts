import { describe, expect, it } from 'vitest';
import { findCustomer } from './customers.ts';
import { mentions } from './mentions.ts';

async function ask(id: string | null, query: string) {
  const routes = mentions({ signedInCustomer: () => findCustomer(id) });
  const response = await routes.request(`/api/mentions?query=${query}`);
  const found = response.ok ? ((await response.json()) as { id: string }[]) : [];
  return { status: response.status, ids: found.map((each) => each.id) };
}

describe('GET /api/mentions', () => {
  it('finds bookings of the user, and other customers, by a part of label or description', async () => {
    expect((await ask('ada', '')).ids).toEqual(['VN-4172', 'V-4812', 'linus']);
    expect((await ask('ada', 'MARCH')).ids).toEqual(['V-4812']);
    expect((await ask('ada', 'okafor')).ids).toEqual(['linus']);
  });

  it('never finds the bookings of other users', async () => {
    expect((await ask('linus', '')).ids).toEqual(['VN-5038', 'ada']);
    expect((await ask('linus', '4172')).ids).toEqual([]);
  });

  it('rejects requests without a signed-in user', async () => {
    expect((await ask(null, '')).status).toBe(401);
  });
});
