import { Card } from '@inlay/protocol';

/** Returns the errors in a card, as the agent receives them. */
export function cardErrors(input: unknown): string[] {
  const result = Card.safeParse(input);
  if (result.success) return [];
  return result.error.issues.map(
    ({ path, message }) => `/${path.map(String).join('/')} ${message}`,
  );
}
