import { Hono } from 'hono';
import { type Customer, customers } from './customers.ts';

interface MentionsOptions {
  /** Returns the signed-in user of the host's session cookie; null if there is none. */
  signedInCustomer: (request: Request) => Customer | null;
}

/** `GET /api/mentions?query=`: finds objects that the signed-in user can mention with `@`. */
export function mentions({ signedInCustomer }: MentionsOptions): Hono {
  return new Hono().get('/api/mentions', (c) => {
    const customer = signedInCustomer(c.req.raw);
    if (!customer) return c.json({ detail: 'No one is signed in.' }, 401);
    const query = (c.req.query('query') ?? '').toLowerCase();
    const others = customers.filter((each) => each !== customer);
    const options = [
      ...customer.bookings,
      ...others.map(({ id, name, role }) => ({ id, label: name, description: role })),
    ];
    // `options` has the bookings of the signed-in user only, so no query finds those of others.
    return c.json(
      options.filter(({ label, description }) =>
        `${label} ${description}`.toLowerCase().includes(query),
      ),
      200,
      { 'cache-control': 'no-store' },
    );
  });
}
