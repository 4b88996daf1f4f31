/** Code points of the digit zero in other scripts: Arabic, Persian, Devanagari, fullwidth. */
const zeros = [0x660, 0x6f0, 0x966, 0xff10];

function toAsciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** Grouped numbers, also in Indian grouping: first with `,` for groups and `.` for decimals, then the reverse. */
const groupedNumber = [
  /^[-+]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/,
  /^[-+]?\d{1,3}(?:\.\d{2,3})*\.\d{3}(?:,\d*)?$/,
];

/**
 * Parses a number with group and decimal separators; NaN if it is invalid. Ambiguous input such as
 * `1,500` is read by the conventions of the locale.
 */
export function readNumber(text: string, locale: string): number {
  const asciiText = toAsciiDigits(text)
    // Also removes the direction marks that accompany a minus in right-to-left text.
    .replace(/[\s'’٬\u061c\u200e\u200f]/g, '')
    .replace('٫', '.')
    .replace('−', '-');
  if (!/^[-+]?[\d.,]*\d[\d.,]*$/.test(asciiText)) return Number.NaN;
  const separators = asciiText.match(/[.,]/g) ?? [];
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567);
  const group = parts.find(({ type }) => type === 'group')?.value;
  const isGrouped = separators.length > 1 || (separators.length === 1 && separators[0] === group);
  const match = isGrouped ? groupedNumber.find((each) => each.test(asciiText)) : undefined;
  if (match)
    return Number(
      asciiText.replaceAll(match === groupedNumber[0] ? ',' : '.', '').replace(',', '.'),
    );
  return separators.length > 1 ? Number.NaN : Number(asciiText.replace(',', '.'));
}

/** Formats a number so that `readNumber` can parse it. */
export function writeNumber(value: number, locale: string): string {
  const options = { useGrouping: false, maximumFractionDigits: 20 };
  return new Intl.NumberFormat(locale, options).format(value);
}
