import { Problem } from '@inlay/protocol';

/** Reads and validates the problem of an error response. */
export async function problemOf(response: Response): Promise<Problem> {
  return Problem.parse(await response.json());
}
