import * as z from 'zod';

/** An answer to a challenge, as a `verify` function receives it. */
export interface ChallengeAnswer {
  /** The text that `getChallenge` of the page returned: at most 4096 characters of any kind. */
  readonly answer: string;
  readonly publishableKey: string;
  /** Origin of the page. */
  readonly origin: string;
}

/** Resolves with true if the answer is correct. A rejection is a failure of the verification. */
export type VerifyChallenge = (answer: ChallengeAnswer) => boolean | Promise<boolean>;

/**
 * The challenge that visitors have to pass when half of a daily quota of their publishable key is used:
 * Turnstile, hCaptcha or another service with the same protocol (`verify_url`), or any other challenge,
 * such as a proof of work (`verify`).
 */
export const VisitorChallenge = z
  .strictObject({
    /** Public value for the page, such as the site key of the service. */
    site_key: z.string().min(1, 'must not be empty').max(1000).nullable().default(null),
    /** URL to which `secret` and `response` are posted as a form; the response is JSON with `success`. */
    verify_url: z.url('must be a URL').optional(),
    /** Name of the environment variable with the secret of the service. */
    secret_env: z.string().min(1, 'must not be empty').optional(),
    /** Checks an answer, instead of `verify_url`. */
    verify: z
      .custom<VerifyChallenge>((value) => typeof value === 'function', 'must be a function')
      .optional(),
  })
  .superRefine(({ verify_url, secret_env, verify }, context) => {
    if ((verify === undefined) === (verify_url === undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['verify'],
        message: 'must be set if `verify_url` is not, and only then',
      });
    }
    if ((verify_url === undefined) !== (secret_env === undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['secret_env'],
        message: 'must be set with `verify_url`, and only then',
      });
    }
  });
export type VisitorChallenge = z.output<typeof VisitorChallenge>;
