/** The `retention` of an agent or of the platform. */
interface WithRetention {
  readonly retention: { readonly sessions_days: number | null };
}

/** Path of the setting in the settings of an agent. */
export const sessionDaysPath = ['retention', 'sessions_days'] as const;

/**
 * Returns the days from the last message of an agent's session to its deletion; null if sessions are kept. A
 * stored setting of an agent may be longer than the platform's, which was shortened since.
 *
 * @param agent Null for an agent that does not exist any more.
 */
export function sessionDays(agent: WithRetention | null, platform: WithRetention): number | null {
  const days = [agent, platform].flatMap((each) => each?.retention.sessions_days ?? []);
  return days.length === 0 ? null : Math.min(...days);
}

/** Returns the error of an agent whose setting is longer than the platform's; null for none. */
export function sessionDaysFault(agent: WithRetention, platform: WithRetention): string | null {
  const own = agent.retention.sessions_days;
  const maximum = platform.retention.sessions_days;
  if (own === null || maximum === null || own <= maximum) return null;
  return `must be at most ${maximum}, which is \`retention.sessions_days\` of the platform; set a longer one there first`;
}
