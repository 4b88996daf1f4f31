import { Hono } from 'hono';
import { type Person, people } from './people.ts';

interface MentionsOptions {
  /** Returns the signed-in user of the host's session cookie; null if there is none. */
  whoIs: (request: Request) => Person | null;
}

/** `GET /api/mentions?query=`: finds objects that the signed-in user can mention with `@`. */
export function mentions({ whoIs }: MentionsOptions): Hono {
  return new Hono().get('/api/mentions', (c) => {
    const person = whoIs(c.req.raw);
    if (!person) return c.json({ detail: 'Nobody is signed in.' }, 401);
    const query = (c.req.query('query') ?? '').toLowerCase();
    const others = people.filter((each) => each !== person);
    const options = [
      ...person.bookings,
      ...others.map(({ id, name, role }) => ({ id, label: name, description: role })),
    ];
    // Only the user's own bookings, whatever the query.
    return c.json(
      options.filter(({ label, description }) =>
        `${label} ${description}`.toLowerCase().includes(query),
      ),
      200,
      { 'cache-control': 'no-store' },
    );
  });
}
