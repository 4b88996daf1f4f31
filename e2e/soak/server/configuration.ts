/** Lifetime of tokens. Clients refresh a token about a minute before it expires, so once a minute. */
export const tokenLifetimeSeconds = 120;

/** Rate limits that the run never reaches. */
const unlimited = { requests_per_second: 100_000, concurrent: 100_000 };

/** The answer to `{text}`, long enough that cuts interrupt it. */
const script = [
  { think: 'The user wrote "{text}", and needs a complete answer.' },
  {
    say: 'You wrote **{text}**. Grüße aus Zürich, 東京 and Καλαμάτα: every character of this must arrive once, in order, on any network.\n\n- one\n- two\n- three\n\nThat was the answer to {text}.',
  },
];

/** Last sentence of the complete answer to a message. */
export function endOfAnswer(text: string): string {
  return `That was the answer to ${text}.`;
}

export const configuration = {
  limits: { api_key: unlimited, api_key_stops: unlimited, source: unlimited, public: unlimited },
  // The server must stop quickly, because restarts are part of the run.
  streams: { drain_seconds: 5 },
  agents: [
    {
      short_id: 'soak',
      name: 'Soak',
      model: { provider: 'scripted', script, delay_ms: 40, first_delay_ms: 100 },
      embed: { allowed_origins: ['http://localhost:*'], limits: unlimited },
    },
  ],
};
