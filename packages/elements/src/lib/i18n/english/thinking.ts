/** What `inlay-thinking` says. */
export const thinkingWords = {
  thinking: 'Thinking',
  thinkingFor: 'Thinking for {duration}',
  thoughtFor: 'Thought for {duration}',
  thoughtStopped: 'Stopped thinking',
} as const;
