/** What the bare page looks at in an event. */
export interface BareEvent {
  type: string;
  delta?: { content: { text: string } };
}

/** Server-sent events in as few lines as they can be read in. */
export async function* readEvents(response: Response): AsyncGenerator<BareEvent> {
  if (!response.ok || !response.body) throw new Error(`No stream: ${response.status}`);
  const decoder = new TextDecoder();
  let rest = '';
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as BareEvent;
      }
    }
  } finally {
    await reader.cancel();
  }
}
