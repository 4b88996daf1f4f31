/** A stream whose text is recorded. */
export interface RecordedStream {
  readonly status: number;
  /** The text so far. Every write of the server consists of complete frames. */
  text: string;
  /** Id of the last frame that has an id; empty if there is none. */
  lastId(): string;
  close(): void;
}

/** Opens a stream, and reads it in the background. */
export async function recordStream(
  url: string,
  init: RequestInit,
  onText: (text: string) => void = () => {},
): Promise<RecordedStream> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const decoder = new TextDecoder();
  const recorded: RecordedStream = {
    status: response.status,
    text: '',
    lastId: () => [...recorded.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    close: () => controller.abort(),
  };
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk as Uint8Array, { stream: true });
      recorded.text += text;
      onText(text);
    }
  };
  // Closing the stream aborts the read, which is not an error.
  read().catch(() => {});
  return recorded;
}
