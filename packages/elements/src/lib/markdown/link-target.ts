import { withoutHidden } from '../untrusted-text.ts';
import { topLevelDomains } from './top-level-domains.ts';

/** A host name: labels separated by dots. */
const hostName = /^(?:[\p{L}\p{M}\p{N}_-]+\.)+([\p{L}\p{M}]{2,24}|xn--[a-z\d-]+)$/iu;

/** An IPv4 address in the usual form. With a scheme, every authority counts as a host. */
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Characters that separate words, also in scripts without spaces. */
const separators = /[\s()<>[\]{}"'`|,;“”„‘’«»、，；：！？（）「」『』【】→]+/u;

/** Full stops of other scripts, which browsers treat as dots of a host name. NFKC converts the others. */
const otherDots = /[\u3002\uff61]/g;

/** A call of a function in code, such as `Array.prototype.map()`, whose name can end like a host name. */
const functionCall = /[\w.]{1,99}\(\)/g;

/** Characters that look like a slash or a dot, and so seem to end or divide a host name. */
const lookalikes =
  /[\u2044\u2215\u2571\u29f5\u29f8\ua4f8\u06d4\u0701\u0702\u2024\ufe52\u0660\u06f0]/;

/** File extensions of two letters that are not treated as top-level domains. */
const fileExtensions: ReadonlySet<string> = new Set('cs db go gz hs js kt rb ts vb'.split(' '));

/** Marks a host name or e-mail address as Punycode, the encoding of letters of other scripts. */
const punycode = /(?:^|[.@])xn--/;

/** Characters that are not rendered. */
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu;

/** Maximum length of a text that is searched for addresses, in characters. */
const maxText = 2_000;

/**
 * Returns the target to show beside a link whose text contains another target: the host, the e-mail
 * address or the phone number.
 *
 * @param text - The text of the link; `null` if it is not known, for example of a formula. The target
 *   is always shown then.
 * @param url - The URL as written. If it contains credentials, its host is always shown.
 * @returns `undefined` if no target is shown, because the text contains no target or the same target.
 */
export function targetToShow(text: string | null, url: string): string | undefined {
  const { protocol, host, hostname, username, password, pathname } = new URL(url);
  if (username || password) return host;
  // Letters of other scripts can imitate any name, in the text of the link and in that of the page.
  if (punycode.test(hostname) && !text?.includes(hostname)) return host;
  // A text that equals the URL contains the target, unless parsing the URL has changed the host.
  if (text === url && url.includes(hostname)) return undefined;
  const address = protocol === 'mailto:' ? mailAddress(pathname) : '';
  if (punycode.test(address) && !text?.includes(address)) return address;
  if (text === null || text.length > maxText) return host || address || pathname;
  if (protocol === 'tel:') return hasOtherNumber(text, pathname) ? pathname : undefined;
  if (host && lookalikes.test(text)) return host;
  const hosts = hostsIn(text);
  if (protocol === 'mailto:') {
    const isInText = text.toLowerCase().includes(address.toLowerCase());
    return hosts.length > 0 && !isInText ? address : undefined;
  }
  return hosts.some((name) => !isSameSite(name, hostname)) ? host : undefined;
}

/** Whether a text contains another phone number. */
function hasOtherNumber(text: string, number: string): boolean {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length > 4 && !number.replace(/\D/g, '').endsWith(digits);
}

function hostsIn(text: string): string[] {
  const visibleText = text
    .normalize('NFKC')
    .replace(invisibleCharacters, '')
    .replace(functionCall, ' ');
  // An ideographic full stop ends a sentence or divides a host name.
  const texts = new Set([visibleText.replace(otherDots, ' '), visibleText.replace(otherDots, '.')]);
  return [...texts].flatMap((each) => each.split(separators).flatMap(hostsInWord));
}

/** Returns the hosts of a word such as `https://user@host:80/path`, `host/path` or `user@host`. */
function hostsInWord(word: string): string[] {
  const scheme = word.indexOf('://');
  const rest = scheme < 0 ? word.replace(/^\/+/, '') : word.slice(scheme + 3);
  const authority = rest.split(/[/\\?#]/, 1)[0] ?? '';
  const user = authority.lastIndexOf('@');
  return authority
    .slice(user + 1)
    .split(':')
    .map((part) => part.replace(/[.!*_~-]+$/, '').replace(/^[.*_~-]+/, ''))
    .filter((name, index) => {
      if (scheme >= 0) return index === 0;
      if (ipAddress.test(name)) return true;
      const ending = hostName.exec(name)?.[1]?.toLowerCase();
      if (ending === undefined) return false;
      if (user >= 0 || /^www\./i.test(name)) return true;
      return (
        topLevelDomains.has(ending) || (/^[a-z]{2}$/.test(ending) && !fileExtensions.has(ending))
      );
    });
}

/** Whether `host` is `name` without `www.`, or a subdomain of it. */
function isSameSite(name: string, host: string): boolean {
  const domain = toAscii(name).replace(/^www\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

/** Converts a host name to Punycode, in which similar letters of different scripts differ. */
function toAscii(name: string): string {
  try {
    return new URL(`https://${name}`).hostname;
  } catch {
    return name.toLowerCase();
  }
}

/** The address of a `mailto` URL, with the domain in Punycode if it has letters of other scripts. */
function mailAddress(pathname: string): string {
  const address = withoutHidden(decode(pathname));
  const domainStart = address.lastIndexOf('@') + 1;
  const domain = toAscii(address.slice(domainStart));
  return punycode.test(domain) ? address.slice(0, domainStart) + domain : address;
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
