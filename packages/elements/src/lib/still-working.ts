/**
 * Time without new content after which the chat shows and announces once that the agent is still working,
 * in milliseconds.
 */
export const stillWorkingAfter = 10_000;
