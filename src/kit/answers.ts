export interface FileAnswerOptions {
  /** The name to save it under; any text, made safe where it is sent. */
  filename?: string;
  /** Whether a browser saves it instead of showing it. Default false. */
  download?: boolean;
  /** The route's own status unless given. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/**
 * An answer that is no JSON: a PDF, a CSV, a page. A handler of a GET or of a `@Public` route returns it instead of a DTO;
 * a route with `@Endpoint` names the media types in `produces`. Text is sent as UTF-8, and never sniffed for another type.
 */
export class FileAnswer {
  constructor(
    /** For example `application/pdf`, `text/csv`, `text/html`. */
    readonly contentType: string,
    readonly content: string | Buffer,
    readonly options: FileAnswerOptions = {},
  ) {}

  /** What would be sent where the route does not say that it answers files. */
  toJSON(): never {
    throw new Error(`The answer is a file (${this.contentType}), but its route can only answer JSON: see "produces" of @Endpoint.`);
  }
}
