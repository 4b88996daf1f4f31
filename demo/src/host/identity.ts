import type { Identity } from '@inlay/node';
import type { Person } from './people.ts';

/** What the platform is told of a person: who they are, and what the agent should know of them. */
export function identityOf(person: Person | null): Identity | null {
  if (!person) return null;
  return {
    external_user_id: person.id,
    system_message: [{ type: 'text', text: person.context }],
    metadata: { role: person.role },
  };
}
