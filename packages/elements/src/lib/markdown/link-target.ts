import { withoutHidden } from '../untrusted-text.ts';

/** Names of a host: labels with dots between them. */
const hostName = /^(?:[\p{L}\p{N}_-]+\.)+(\p{L}{2,24}|xn--[a-z\d-]+)$/iu;

/** The characters between words, also in scripts without spaces. */
const betweenWords = /[\s()<>[\]{}"'`|,;“”„‘’«»、。，；：！？（）「」『』【】→]+/u;

/** Characters that look like a slash. In a host they pass for its end. */
const slashes = /[\u2044\u2215\u29f8\u2571]/g;

/**
 * Top-level domains that a name in a text is taken for a host by, beside all of two letters. Any other
 * takes a scheme, `www.` or a user name before it: names of code and files have dots, too.
 */
const topLevels: ReadonlySet<string> = new Set(
  (
    'app bank biz blog click cloud club com dev edu email example finance gov info int life link live ' +
    'mil money name net news online org page pay pro shop site store tech top vip wiki xyz zip'
  ).split(' '),
);

/** Endings of file names that are no top-level domains. */
const fileEndings: ReadonlySet<string> = new Set('cs db go gz hs js kt rb ts vb'.split(' '));

/** Characters that are not shown. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Longer text is not searched. */
const maxText = 2_000;

/**
 * The target to show beside a link whose text names another one: the host, the mail address or the
 * telephone number that it leads to. `undefined` where its text names none, or the same one. The host
 * is always shown where the text can't be searched.
 *
 * @param text - The text that is shown; `null` where it is not known, as that of a formula.
 * @param written - The address as it was written, which may hold a user name.
 */
export function targetToShow(text: string | null, written: string): string | undefined {
  const { protocol, host, hostname, username, password, pathname } = new URL(written);
  if (username || password) return host;
  // The parser of addresses drops and decodes characters: the host must be in the text as it is.
  if (text === written && written.includes(hostname)) return undefined;
  if (text === null || text.length > maxText) return host || withoutHidden(readable(pathname));
  if (protocol === 'tel:') return claimsNumber(text, pathname) ? pathname : undefined;
  const named = hostsIn(text);
  if (protocol === 'mailto:') {
    const address = withoutHidden(readable(pathname));
    const isNamed = text.toLowerCase().includes(address.toLowerCase());
    return named.length > 0 && !isNamed ? address : undefined;
  }
  return named.some((name) => !isSame(name, hostname)) ? host : undefined;
}

/** Whether a text holds another telephone number. */
function claimsNumber(text: string, number: string): boolean {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length > 4 && !number.replace(/\D/g, '').endsWith(digits);
}

function hostsIn(text: string): string[] {
  const shown = text.normalize('NFKC').replace(invisible, '').replace(slashes, '/');
  return shown.split(betweenWords).flatMap(hostsInWord);
}

/** The hosts that a word names: `https://user@host:80/path`, `host/path` or `user@host`. */
function hostsInWord(word: string): string[] {
  const scheme = word.indexOf('://');
  const rest = scheme < 0 ? word.replace(/^\/+/, '') : word.slice(scheme + 3);
  const authority = rest.split(/[/\\?#]/, 1)[0] ?? '';
  const user = authority.lastIndexOf('@');
  return authority
    .slice(user + 1)
    .split(':')
    .map((part) => part.replace(/[.!*_~-]+$/, '').replace(/^[.*_~-]+/, ''))
    .filter((name) => {
      const ending = hostName.exec(name)?.[1]?.toLowerCase();
      if (ending === undefined) return false;
      if (scheme >= 0 || user >= 0 || /^www\./i.test(name)) return true;
      return topLevels.has(ending) || (ending.length === 2 && !fileEndings.has(ending));
    });
}

/** Whether a host is the named one, or one of its own. */
function isSame(name: string, host: string): boolean {
  const bare = asciiOf(name).replace(/^www\./, '');
  return host === bare || host.endsWith(`.${bare}`);
}

/** A host as browsers write it, so that letters of other scripts are not taken for their likes. */
function asciiOf(name: string): string {
  try {
    return new URL(`https://${name}`).hostname;
  } catch {
    return name.toLowerCase();
  }
}

function readable(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
