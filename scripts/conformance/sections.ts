/** A group of rules. */
export interface Section {
  /** Number of the section, such as `4.1`. */
  readonly number: string;
  /** Subject of the section, for the heading on the page. */
  readonly title: string;
  /** How many numbered rules the section has, such as `4.1.1` and `4.1.2`. The page must list all. */
  readonly numbered?: number;
}

/** The sections of the specification that have rules, in its order. */
export const sections: readonly Section[] = [
  { number: '1', title: 'Services and general rules', numbered: 6 },
  { number: '2.1', title: 'Issuance records' },
  { number: '2.2', title: 'Embed policy of an agent' },
  { number: '2.3', title: 'Actions' },
  { number: '2.4', title: 'Scripts and workflows' },
  { number: '2.5', title: 'Database events' },
  { number: '2.6', title: 'Media events' },
  { number: '2.7', title: 'Pages' },
  { number: '2.8', title: 'Problems' },
  { number: '3.1', title: 'States of an embed token' },
  { number: '3.2', title: 'States of a hosted link' },
  { number: '3.3', title: 'Archived actions, scripts and workflows' },
  { number: '3.4', title: 'States of a run' },
  { number: '3.5', title: 'States of a wait' },
  { number: '3.6', title: 'States of a database' },
  { number: '4.1', title: 'POST /agent/v1/embed_tokens', numbered: 2 },
  { number: '4.2', title: 'POST /agent/v1/embed/exchange' },
  { number: '4.3', title: 'POST /agent/v1/embed_tokens/anonymous', numbered: 4 },
  { number: '4.4', title: 'POST /agent/v1/embed_tokens/{id}/revoke' },
  { number: '4.5', title: 'GET /agent/v1/embed_tokens' },
  { number: '4.6', title: 'Revoking, blocking and unblocking an end user' },
  { number: '4.7', title: 'What an embed token allows' },
  { number: '4.8', title: 'Token refresh in the client' },
  { number: '4.9', title: 'Restoring actions, workflows and scripts' },
  { number: '4.10', title: 'GET /database/v1/databases/{database_id}/events' },
  { number: '4.11', title: 'GET /media/v1/libraries/{library_id}/events' },
  { number: '4.12', title: 'Models, health and chat completions' },
  { number: '4.13', title: 'Compatible prefix of the chat-model family', numbered: 11 },
  { number: '5', title: 'Authentication', numbered: 9 },
  { number: '6.1', title: 'Types of database events' },
  { number: '6.2', title: 'Types of media events' },
  { number: '6.3', title: 'Revoked token on an event stream' },
  { number: '7.1', title: 'Status codes' },
  { number: '7.2', title: 'Error bodies', numbered: 2 },
  { number: '7.3', title: 'Headers of error responses' },
  { number: '7.4', title: 'Error codes' },
  { number: '7.5', title: 'Retry rules', numbered: 2 },
  { number: '8.1', title: 'Two layers of rate limits' },
  { number: '8.2', title: 'Rate limits of the platform', numbered: 7 },
  { number: '8.3', title: 'Rate limits of a model', numbered: 5 },
  { number: '8.4', title: 'Other limits' },
  { number: '9', title: 'Versioning', numbered: 6 },
];
