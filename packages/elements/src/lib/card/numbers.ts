/** Code points of the zero of other digit sets: Arabic, Persian, Devanagari, full width. */
const zeros = [0x660, 0x6f0, 0x966, 0xff10];

function ourDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** Numbers with `,` or `.` as group separator (in threes or Indian) and the other as decimal separator. */
const grouped = [
  /^[-+]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/,
  /^[-+]?\d{1,3}(?:\.\d{2,3})*\.\d{3}(?:,\d*)?$/,
];

/**
 * Parses a number with group and decimal separators; NaN if it is invalid. Ambiguous input such as
 * `1,500` is read by the conventions of the locale.
 */
export function readNumber(text: string, locale: string): number {
  const plain = ourDigits(text)
    // Also removes the direction marks that accompany a minus in right-to-left text.
    .replace(/[\s'’٬\u061c\u200e\u200f]/g, '')
    .replace('٫', '.')
    .replace('−', '-');
  if (!/^[-+]?[\d.,]*\d[\d.,]*$/.test(plain)) return Number.NaN;
  const marks = plain.match(/[.,]/g) ?? [];
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567);
  const group = parts.find(({ type }) => type === 'group')?.value;
  const isGrouped = marks.length > 1 || (marks.length === 1 && marks[0] === group);
  const form = isGrouped ? grouped.find((each) => each.test(plain)) : undefined;
  if (form) return Number(plain.replaceAll(form === grouped[0] ? ',' : '.', '').replace(',', '.'));
  return marks.length > 1 ? Number.NaN : Number(plain.replace(',', '.'));
}

/** Formats a number so that `readNumber` can parse it. */
export function writeNumber(value: number, locale: string): string {
  const form = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  return form.format(value);
}
