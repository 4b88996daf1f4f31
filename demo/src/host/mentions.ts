import { Hono } from 'hono';
import { type Customer, customers } from './customers.ts';

interface MentionsOptions {
  /** Returns the signed-in user of the host's session cookie; null if there is none. */
  signedInCustomer: (request: Request) => Customer | null;
}

/** `GET /api/mentions?query=`: finds bookings and customers that the signed-in user can mention with `@`. */
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
    // No query finds bookings of other users, because `options` does not contain them.
    return c.json(
      options.filter(({ label, description }) =>
        `${label} ${description}`.toLowerCase().includes(query),
      ),
      200,
      { 'cache-control': 'no-store' },
    );
  });
}
