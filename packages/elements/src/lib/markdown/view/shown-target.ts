import { extras } from '../extras.ts';
import { isPlain } from '../needs-extras.ts';

/**
 * Returns the target to show beside a link, as `targetToShow` does. Without the extras, which compare text
 * and target, the host is shown if the text may contain another address.
 */
export function shownTarget(text: string | null, url: string): string | undefined {
  const module = extras();
  if (module) return module.targetToShow(text, url);
  const { host } = new URL(url);
  return isPlain(text ?? '') && !host.includes('xn--') ? undefined : host;
}
