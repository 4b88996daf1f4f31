import * as z from 'zod/mini';

/** Body of `POST /agent/v1/embed/consents`. */
export const GiveConsentRequest = z.strictObject({
  /** `consent.text_sha256` of the configuration of the widget. */
  text_sha256: z
    .string()
    .check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 hexadecimal digits, in lower case')),
  /** Language of the widget that showed the text: a BCP 47 tag such as `pt-BR`. */
  language: z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9-]{1,35}$/, 'must be a BCP 47 tag of 1 to 35 letters, digits and -'),
    ),
});
export type GiveConsentRequest = z.infer<typeof GiveConsentRequest>;

/** The consent of an end user to a text. */
export const Consent = z.looseObject({
  type: z.literal('consent'),
  id: z.string(),
  /** SHA-256 of the text in UTF-8, in hexadecimal digits. */
  text_sha256: z.string(),
  /** The text, in Markdown. */
  text: z.string(),
  /** Language of the widget that showed the text. */
  language: z.string(),
  /** When the platform received the consent. */
  given_at: z.string(),
});
export type Consent = z.infer<typeof Consent>;

export const ConsentList = z.looseObject({ data: z.array(Consent) });
