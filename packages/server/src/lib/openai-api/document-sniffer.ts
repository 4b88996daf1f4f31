import { TypeSniffer } from '../files/sniff-type.ts';

/** Number of bytes at the start of a file that identify its format. */
const headLength = 128;
/**
 * Number of bytes at the end of a piece that are searched again with the next piece, because a
 * marker can be split across two pieces. Greater than the length of every marker.
 */
const overlapLength = 64;

/**
 * Detects a file's media type from its content, piece by piece. Unlike `TypeSniffer`, it also
 * detects documents of Office and OpenDocument, audio and video.
 */
export class DocumentSniffer {
  readonly #base = new TypeSniffer();
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #isOpenXml = false;
  /** Media type of the first marker in the content. */
  #documentType: string | undefined;

  add(bytes: Uint8Array): void {
    this.#base.add(bytes);
    if (this.#head.byteLength < headLength) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headLength)]);
    }
    if (this.#container) this.#search(bytes);
  }

  /**
   * Returns the media type: `application/octet-stream` if it is unknown. Must be called after all
   * pieces were added.
   */
  end(): string {
    const type = this.#base.end();
    if (type === 'application/zip') return this.#openDocumentType ?? this.#openXmlType ?? type;
    if (type !== 'application/octet-stream') return type;
    if (this.#container === compoundFile) return this.#documentType ?? type;
    const head = this.#head.toString('latin1');
    return signatures.find((signature) => hasSignature(head, signature))?.type ?? type;
  }

  get #container(): Container | undefined {
    return containers.find(({ magic }) => this.#head.toString('latin1', 0, 8).startsWith(magic));
  }

  get #openXmlType(): string | undefined {
    return this.#isOpenXml ? this.#documentType : undefined;
  }

  /** OpenDocument files start with a ZIP entry that contains their type. */
  get #openDocumentType(): string | undefined {
    const pattern = /^.{30}mimetype(application\/vnd\.oasis\.opendocument\.[a-z]+)/s;
    return pattern.exec(this.#head.toString('latin1'))?.[1];
  }

  #search(bytes: Uint8Array): void {
    const window = Buffer.concat([this.#tail, bytes]);
    this.#isOpenXml ||= window.includes('[Content_Types].xml');
    const [first] = (this.#container?.markers ?? [])
      .map(({ marker, type }) => ({ at: window.indexOf(marker), type }))
      .filter(({ at }) => at !== -1)
      .sort((left, right) => left.at - right.at);
    this.#documentType ??= first?.type;
    this.#tail = Buffer.from(window.subarray(-overlapLength));
  }
}

/** Whether files of this type are accepted (docs/conformance.md, 4.13.10). */
export function isSupportedType(type: string): boolean {
  return (
    /^(?:text|image|audio|video)\//.test(type) ||
    /^application\/(?:pdf$|msword$|vnd\.(?:ms-|openxmlformats|oasis\.))/.test(type)
  );
}

/** A container format for documents of different types. */
interface Container {
  readonly magic: string;
  readonly markers: readonly { readonly marker: Buffer; readonly type: string }[];
}

const openXmlType = (name: string) => `application/vnd.openxmlformats-officedocument.${name}`;

/** Names of streams in a compound file are UTF-16 (MS-CFB, section 2.6.1). */
const streamName = (name: string) => Buffer.from(`${name}\0`, 'utf16le');

const compoundFile: Container = {
  magic: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  markers: [
    { marker: streamName('WordDocument'), type: 'application/msword' },
    { marker: streamName('Workbook'), type: 'application/vnd.ms-excel' },
    { marker: streamName('PowerPoint Document'), type: 'application/vnd.ms-powerpoint' },
  ],
};

const containers: readonly Container[] = [
  compoundFile,
  {
    magic: 'PK\x03\x04',
    markers: [
      { marker: Buffer.from('word/'), type: openXmlType('wordprocessingml.document') },
      { marker: Buffer.from('xl/'), type: openXmlType('spreadsheetml.sheet') },
      { marker: Buffer.from('ppt/'), type: openXmlType('presentationml.presentation') },
    ],
  },
];

/** A format that is recognized by the start of the file. */
interface Signature {
  readonly type: string;
  /** Offset of `magic`. @default 0 */
  readonly at?: number;
  /** One of these strings, as Latin-1. */
  readonly magic: readonly string[];
  /** A string that must also occur in the first 128 bytes. */
  readonly contains?: string;
}

/** The first signature that matches applies. */
const signatures: readonly Signature[] = [
  {
    type: 'image/heic',
    at: 4,
    magic: ['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'].map((brand) => `ftyp${brand}`),
  },
  { type: 'image/avif', at: 4, magic: ['ftypavif', 'ftypavis'] },
  { type: 'audio/mp4', at: 4, magic: ['ftypM4A', 'ftypM4B'] },
  { type: 'video/quicktime', at: 4, magic: ['ftypqt'] },
  { type: 'video/mp4', at: 4, magic: ['ftyp'] },
  { type: 'video/webm', magic: ['\x1a\x45\xdf\xa3'], contains: 'webm' },
  { type: 'video/x-matroska', magic: ['\x1a\x45\xdf\xa3'] },
  { type: 'video/x-msvideo', magic: ['RIFF'], contains: 'AVI ' },
  { type: 'video/mpeg', magic: ['\x00\x00\x01\xb3', '\x00\x00\x01\xba'] },
  { type: 'audio/wav', magic: ['RIFF'], contains: 'WAVE' },
  { type: 'video/ogg', magic: ['OggS'], contains: 'theora' },
  { type: 'audio/ogg', magic: ['OggS'] },
  { type: 'audio/flac', magic: ['fLaC'] },
  // MP3 files start with ID3 tags, or with a frame of MPEG layer 3 or 2.
  {
    type: 'audio/mpeg',
    magic: ['ID3', '\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2', '\xff\xe3', '\xff\xfd'],
  },
  { type: 'audio/aac', magic: ['\xff\xf1', '\xff\xf9'] },
  { type: 'image/tiff', magic: ['II*\x00', 'MM\x00*'] },
  { type: 'image/bmp', magic: ['BM'] },
];

function hasSignature(head: string, { at = 0, magic, contains = '' }: Signature): boolean {
  return magic.some((text) => head.startsWith(text, at)) && head.includes(contains);
}
