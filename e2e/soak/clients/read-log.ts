import { setTimeout as sleep } from 'node:timers/promises';

/** The part of a log event that the soak test compares. */
export interface LoggedEvent {
  id: string;
  seq: number;
  type: string;
  content?: Array<{ type: string; text?: string }>;
}

/** Reads the complete log from the server, without the proxy. Retries while the server restarts. */
export async function readLog(
  baseUrl: string,
  session: string,
  issue: () => Promise<string>,
): Promise<LoggedEvent[]> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await readPages(`${baseUrl}/agent/v1/sessions/${session}/events`, await issue());
    } catch (error) {
      if (attempt === 60) throw error;
      await sleep(1000);
    }
  }
}

async function readPages(address: string, token: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  let page: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '100', order: 'asc', ...(page && { page }) });
    const response = await fetch(`${address}?${query}`, {
      headers: { authorization: `Bearer ${token}`, origin: 'http://localhost:1' },
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`The log answers ${response.status}`);
    const body = (await response.json()) as { data: LoggedEvent[]; next_page: string | null };
    events.push(...body.data);
    page = body.next_page;
  } while (page);
  return events;
}

export function textOf({ content = [] }: LoggedEvent): string {
  return content.map(({ text = '' }) => text).join('');
}
