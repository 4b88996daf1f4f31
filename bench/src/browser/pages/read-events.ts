/** The fields of an event that the baseline page uses. */
export interface BaselineEvent {
  type: string;
  delta?: { content: { text: string } };
}

/** Minimal parser of server-sent events. */
export async function* readEvents(response: Response): AsyncGenerator<BaselineEvent> {
  if (!response.ok || !response.body) throw new Error(`No stream: ${response.status}`);
  const decoder = new TextDecoder();
  let pendingText = '';
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (pendingText + decoder.decode(value, { stream: true })).split('\n');
      pendingText = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as BaselineEvent;
      }
    }
  } finally {
    await reader.cancel();
  }
}
