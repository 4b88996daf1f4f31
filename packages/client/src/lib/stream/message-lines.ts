import type { StreamAttempt } from './transport.ts';

/**
 * Creates a parser of event stream lines (HTML standard, "Interpreting an event stream"). It takes each
 * line without its line ending.
 */
export function messageLines({
  onMessage,
  onRetry,
}: Pick<StreamAttempt, 'onMessage' | 'onRetry'>): (line: Uint8Array) => void {
  // A byte order mark is removed at the start of the stream only.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let first = true;
  let data: string[] = [];
  let id = '';
  let event = '';
  return (line) => {
    let text = decoder.decode(line);
    if (first) text = text.replace(/^\uFEFF/, '');
    first = false;
    if (text === '') {
      if (data.length > 0) onMessage({ id, event: event || 'message', data: data.join('\n') });
      data = [];
      event = '';
      return;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    if (field === 'id' && !value.includes('\0')) id = value;
    if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  };
}
