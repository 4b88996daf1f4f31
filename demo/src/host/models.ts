/** The model's moods, as the agent's configuration. All of them need no network and no key. */
export const models = {
  normal: { provider: 'scripted' },
  slow: { provider: 'scripted', tokens_per_second: 4 },
  fail: { provider: 'scripted', fail: true },
} as const;
