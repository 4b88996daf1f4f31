import { Hono } from 'hono';
import { type Person, people } from './people.ts';

interface MentionsOptions {
  /** Who is signed in, by the host's own session cookie. */
  whoIs: (request: Request) => Person | null;
}

/** `GET /api/mentions?query=`: what a message of the person who is signed in can mention with `@`. */
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
    // What is given is the person's own bookings alone, whatever the page asks for.
    return c.json(
      options.filter(({ label, description }) =>
        `${label} ${description}`.toLowerCase().includes(query),
      ),
      200,
      { 'cache-control': 'no-store' },
    );
  });
}
