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

/** What a body says about its file. */
interface Source {
  /** By field: the address, and the bytes in Base64. */
  url: [field: string, value: string | undefined];
  base64: [field: string, value: string | undefined];
  /** Sent as a form or as the body itself. */
  sent: SentFile | undefined;
}

/** Readers accept a header behind other bytes. */
const HEADER_WITHIN = 1_024;

/** The PDF that a caller gives with a request or by an address. */
@Injectable()
export class GivenFiles {
  constructor(private readonly downloads: Downloads) {}

  /** Null if there is none. A download takes up to 20 seconds, so no transaction may be open. */
  async read({ url: [urlField, url], base64: [base64Field, base64], sent }: Source): Promise<GivenFile | null> {
    const given = [sent ? FILE_UPLOAD.field : '', url === undefined ? '' : urlField, base64 === undefined ? '' : base64Field];
    const [field, another] = given.filter((name) => name !== '');
    if (another !== undefined) throw invalid(another, `must be left out with ${field}`);
    if (sent) return { bytes: sent.bytes, param: field };
    if (base64 !== undefined) return { bytes: bytesOfBase64(base64, field), param: field };
    if (url === undefined) return null;
    const bytes = await this.downloads.get(url, { param: field, most: MOST_FILE_BYTES, accept: 'application/pdf, */*;q=0.5' });
    if (!bytes.subarray(0, HEADER_WITHIN).includes('%PDF-')) throw invalid(field, 'returned a file that is no PDF');
    return { bytes, param: field };
  }

  /** Of a body whose only subject is the file. */
  async require({ url, content_base64 }: { url?: string; content_base64?: string }, sent: SentFile | undefined): Promise<GivenFile> {
    const file = await this.read({ url: ['url', url], base64: ['content_base64', content_base64], sent });
    if (!file) throw CommonErrors.missingFields({ param: 'file', message: 'file is required: send the PDF, its url or content_base64' });
    return file;
  }
}
