import { Injectable } from '@nestjs/common';
import { bytesOfBase64, CommonErrors, Downloads, invalid, type SentFile } from '../../../../kit/index.js';

/** Of one file, and of all files of a document. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
export const MOST_PAGES = 200;

/** How a route takes a PDF in its body. */
export const FILE_UPLOAD = {
  field: 'file',
  description: 'The PDF, of at most 10 MiB and 200 pages.',
  most: 1,
  bytes: MOST_FILE_BYTES,
} as const;

/** A file, and the field that gave it, for errors. */
export interface GivenFile {
  bytes: Buffer;
  param: string;
}

/** How a body names its file: by an address, or in Base64. */
const BY_URL = ['file_url', 'url'] as const;
const BY_BASE64 = ['file_base64', 'content_base64'] as const;
export const FILE_FIELDS = [...BY_URL, ...BY_BASE64];
type FileInBody = Partial<Record<(typeof FILE_FIELDS)[number], string>>;

/** Readers accept a header behind other bytes. */
const HEADER_WITHIN = 1_024;

/** The PDF that a caller gives with a request or by an address. */
@Injectable()
export class GivenFiles {
  constructor(private readonly downloads: Downloads) {}

  /** `sent`: as a form or as the body itself. Null if there is none. A download takes up to 20 seconds, so no transaction may be open. */
  async read(body: FileInBody, sent: SentFile | undefined): Promise<GivenFile | null> {
    const given = FILE_FIELDS.filter((field) => body[field] !== undefined);
    const [param, another] = [...(sent ? [FILE_UPLOAD.field] : []), ...given];
    if (another !== undefined) throw invalid(another, `must be left out with ${param}`);
    if (sent) return { bytes: sent.bytes, param };
    const [base64, url] = [BY_BASE64, BY_URL].map((fields) => fields.map((field) => body[field]).find((value) => value !== undefined));
    if (base64 !== undefined) return { bytes: bytesOfBase64(base64, param), param };
    if (url === undefined) return null;
    const bytes = await this.downloads.get(url, { param, most: MOST_FILE_BYTES, accept: 'application/pdf, */*;q=0.5' });
    if (!bytes.subarray(0, HEADER_WITHIN).includes('%PDF-')) throw invalid(param, 'returned a file that is no PDF');
    return { bytes, param };
  }

  /** Of a body whose only subject is the file. */
  async require(body: FileInBody, sent: SentFile | undefined): Promise<GivenFile> {
    const file = await this.read(body, sent);
    if (!file) throw CommonErrors.missingFields({ param: 'file', message: 'file is required: send the PDF, or file_url or file_base64' });
    return file;
  }
}
