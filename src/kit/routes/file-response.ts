import type { Readable } from 'node:stream';

export interface FileResponseOptions {
  /** The name to save the file under: any text, sanitized when it is sent. */
  filename?: string;
  /** Whether a browser saves it instead of showing it. Default false. */
  download?: boolean;
  /** The route's own status unless given. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/**
 * A response other than JSON: a PDF, a CSV file, a page. A handler of a GET or of a `@Public` route returns it instead of a
 * DTO; a route with `@Endpoint` lists the media types in `produces`. Text is sent as UTF-8, with content sniffing disabled.
 *
 * @example
 * ```ts
 * import { FileResponse } from 'work-suite/kit';
 *
 * export const badge = () => new FileResponse('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', { filename: 'badge.svg' });
 * ```
 */
export class FileResponse {
  constructor(
    /** For example `application/pdf`, `text/csv`, `text/html`. */
    readonly contentType: string,
    readonly content: string | Buffer | Readable,
    readonly options: FileResponseOptions = {},
  ) {}

  /** Called when a route that declares no `produces` returns a file. */
  toJSON(): never {
    throw new Error(`The response is a file (${this.contentType}), but the route responds with JSON only: see "produces" of @Endpoint.`);
  }
}
