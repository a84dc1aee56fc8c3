/** What the runtime knows of an operation; generated from its entry in the OpenAPI document. */
export interface Operation {
  id: string;
  method: string;
  /** With the names of its parameters in braces. */
  path: string;
  /** The media types of the body; `form`: it may be a form with files. */
  body?: { json?: true; form?: true; raw?: string };
  /** It has query parameters. */
  query?: true;
  /** It takes an Idempotency-Key. */
  key?: true;
  /** It takes If-Match; `object`: for the object that is passed as the last id. */
  match?: 'object' | 'option';
  /** It returns pages. */
  list?: true;
  /** It returns a file of this type, which the query asks for where it has to. */
  file?: { accept: string; query?: Readonly<Record<string, string>> };
}
