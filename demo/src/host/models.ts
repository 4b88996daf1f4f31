/** Model configurations for the playground. All models are scripted, and need neither network nor key. */
export const models = {
  normal: { provider: 'scripted', first_delay_ms: 200, delay_ms: 20, fail: false },
  slow: { provider: 'scripted', first_delay_ms: 2000, delay_ms: 300, fail: false },
  fail: { provider: 'scripted', first_delay_ms: 200, delay_ms: 20, fail: true },
} as const;
