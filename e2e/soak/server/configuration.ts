/** A token is replaced about a minute before it ends, so this makes it once a minute. */
export const lifetimeSeconds = 120;

/** Limits are there to slow callers down; here it is the network that does. */
const wide = { requests_per_second: 100_000, concurrent: 100_000 };

/** What the agent says to `{text}`. Some sentences, so that cuts fall into it. */
const script = [
  { think: 'The person wrote "{text}", which has to be answered in full.' },
  {
    say: 'You wrote **{text}**. Grüße aus Zürich, 東京 and Καλαμάτα: every letter of this has to come through once, in its place, whatever the network does meanwhile.\n\n- one\n- two\n- three\n\nThat was the answer to {text}.',
  },
];

/** The end of the answer to a message: what is not there was lost. */
export function lastWordsTo(text: string): string {
  return `That was the answer to ${text}.`;
}

export const configuration = {
  limits: { api_key: wide, source: wide },
  // Restarts are part of the run, and ten thousand streams are not.
  streams: { drain_seconds: 5 },
  agents: [
    {
      short_id: 'soak',
      name: 'Soak',
      model: { provider: 'scripted', script, delay_ms: 40, first_delay_ms: 100 },
      embed: { allowed_origins: ['http://localhost:*'], limits: wide },
    },
  ],
};
