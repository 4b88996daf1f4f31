/** A connection whose bytes are kept as they come. */
export interface Followed {
  readonly status: number;
  /** Everything that came so far. Every write of the server is a whole number of frames. */
  text: string;
  /** The id of the last frame that had one; empty before the first. */
  lastId(): string;
  close(): void;
}

/** Reads a stream to its end, in the background. */
export async function follow(
  url: string,
  init: RequestInit,
  onText: (text: string) => void = () => {},
): Promise<Followed> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const decoder = new TextDecoder();
  const followed: Followed = {
    status: response.status,
    text: '',
    lastId: () => [...followed.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    close: () => controller.abort(),
  };
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk as Uint8Array, { stream: true });
      followed.text += text;
      onText(text);
    }
  };
  // It ends by being closed here, which is no fault.
  read().catch(() => {});
  return followed;
}
