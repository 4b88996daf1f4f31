/** Prefixes of the identifiers and secrets on the wire. What follows a prefix is opaque. */
export const idPrefix = {
  /** An issuance record of an embed token (service reference, section 2.1). */
  issuance: 'emb_',
  /** An embed token's value: a secret. */
  embedToken: 'et_',
  /** A single-use code of a hosted link: a secret. */
  exchangeCode: 'ec_',
  /** A visitor's private credential: a secret. */
  visitorSecret: 'vs_',
  /** A publishable key: public by design. */
  publishableKey: 'pk_',
  /** A platform API key: a secret of the host's backend (service reference, section 5). */
  apiKey: 'sk-service-',
  agent: 'agt_',
  session: 'ses_',
  event: 'evt_',
  file: 'file_',
  /** An anonymous end user, named by the server. */
  anonymousUser: 'anon_',
  /** An instance of a problem, quoted to support. */
  problem: 'prb_',
} as const;
