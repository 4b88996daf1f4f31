import { deflateSync } from 'node:zlib';

/** Content of a page, or of a form that pages draw. */
export interface PdfContent {
  readonly bytes: Uint8Array;
  /** The filter of compressed content. */
  readonly filter?: '/FlateDecode';
}

export interface PdfOptions {
  /** Forms by name, which the content draws with `/Name Do`, also that of the forms themselves. */
  readonly forms?: Readonly<Record<string, PdfContent>>;
  /** The font of all texts. @default Helvetica */
  readonly font?: string;
  /** Further entries of the trailer, such as `/Encrypt`. */
  readonly trailer?: string;
}

/** A Japanese font that is not in the file, with the encoding Shift JIS. */
export const japaneseFont = `<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H
  /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light
    /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>
    /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 0 1000 1000]
      /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>`;

/** Content that shows lines of text. */
export function textContent(...lines: string[]): PdfContent {
  const shown = lines.map(
    (line, index) => `BT /F1 12 Tf 72 ${720 - 14 * index} Td (${line}) Tj ET\n`,
  );
  return { bytes: Buffer.from(shown.join('')) };
}

export function compressed({ bytes }: PdfContent): PdfContent {
  return { bytes: deflateSync(bytes, { level: 9 }), filter: '/FlateDecode' };
}

/** Makes a PDF with a page for each content. */
export function makePdf(
  pages: readonly PdfContent[],
  {
    font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    forms = {},
    trailer = '',
  }: PdfOptions = {},
) {
  const names = Object.keys(forms);
  const firstForm = 4;
  const firstPage = firstForm + names.length;
  const drawn = names.map((name, index) => `/${name} ${firstForm + index} 0 R`).join(' ');
  const resources = `/Resources << /Font << /F1 3 0 R >> /XObject << ${drawn} >> >>`;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font,
    ...Object.values(forms).map((form) =>
      stream(form, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources}`),
    ),
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${firstPage + 2 * index + 1} 0 R >>`,
      stream(page, ''),
    ]),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((object, index) => {
    const at = length;
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function stream({ bytes, filter }: PdfContent, entries: string): Buffer {
  const filterEntry = filter ? `/Filter ${filter}` : '';
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${filterEntry} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** A PDF that is encrypted with an unknown password. */
export function makeEncryptedPdf() {
  const hash = '00'.repeat(32);
  return makePdf([textContent('Secret')], {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${hash}> /U <${hash}> /P -4 >> /ID [<00> <00>]`,
  });
}

/**
 * Makes a small PDF whose second page takes hours to read: a form draws a form a hundred times, and so on.
 * The last one shows a character, and many more below the page.
 */
export function makeEndlessPdf() {
  const draws = (name: string) => compressed({ bytes: Buffer.from(`/${name} Do `.repeat(100)) });
  const shown = 'BT /F1 12 Tf 72 720 Td (x) Tj ET ';
  const hidden = `BT /F1 12 Tf 72 -9000 Td ${'(x) Tj '.repeat(10_000)}ET`;
  const forms = {
    A: draws('B'),
    B: draws('C'),
    C: compressed({ bytes: Buffer.from(shown + hidden) }),
  };
  return makePdf([textContent('First'), draws('A')], { forms });
}
