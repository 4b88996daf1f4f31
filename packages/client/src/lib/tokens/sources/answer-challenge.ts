import type { InlayError } from '../../errors.ts';

/** A challenge that the platform requires of a visitor. */
export interface VisitorChallenge {
  /** `visitor_challenge.site_key` of the platform's configuration; null without one. */
  readonly siteKey: string | null;
}

/**
 * Shows or computes the challenge. Resolves with the answer for the platform, at most 4096 characters;
 * with null if the user does not answer.
 */
export type GetChallenge = (challenge: VisitorChallenge) => string | null | Promise<string | null>;

/** The options of the source, which also identify it. */
interface ChallengeOptions {
  readonly getChallenge?: GetChallenge;
}

/** Answers that were not sent yet, by source: an attempt may end before the user has answered. */
const answers = new WeakMap<ChallengeOptions, Promise<string | null>>();

/**
 * Obtains the answer to the challenge that an error of the platform requires.
 *
 * @throws The error, if it requires no challenge or the user does not answer.
 */
export async function answerChallenge(
  error: unknown,
  options: ChallengeOptions,
  signal: AbortSignal,
): Promise<string> {
  const { getChallenge } = options;
  // Only the type of the error is imported, so that the bundler creates no shared chunk.
  const { code, problem } = error as Partial<InlayError>;
  if (!getChallenge || code !== 'EMBED_CHALLENGE_REQUIRED') throw error;
  const siteKey = problem?.details?.site_key;
  const ask = async () => getChallenge({ siteKey: typeof siteKey === 'string' ? siteKey : null });
  const pending = answers.get(options) ?? ask();
  answers.set(options, pending);
  const answer = await pending.catch((failure: unknown) => {
    answers.delete(options);
    throw failure;
  });
  signal.throwIfAborted();
  answers.delete(options);
  if (typeof answer !== 'string') throw error;
  return answer;
}
