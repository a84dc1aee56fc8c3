// The public types of the client. The package contains this file as it is, as declarations, so it declares and contains no code.

/** Options of all calls of a client. */
export interface ClientOptions extends CallOptions {
  /** The address of the suite, such as `https://suite.example.com`. */
  baseUrl: string;
  /** An API key. Without one, a client can call only `suite.public` and verify webhooks. */
  key?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, its retries and the download of its file. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * How long an attempt may take, in milliseconds; of a download, until it begins. Infinity: without a limit.
   * Default: 60,000.
   */
  timeoutMs?: number;
  /** How often a failed attempt is repeated. Default: 2. */
  maxRetries?: number;
  /** Further request headers, such as `Svc-Test-Scenario`. */
  headers?: Readonly<Record<string, string>>;
  /** Called with each response, errors included: for logs and rate limits. */
  onResponse?: (response: { readonly status: number; readonly url: string; readonly headers: Headers }) => void;
}

/** Options of a call that the suite executes once, however often it is repeated. */
export interface IdempotentOptions extends CallOptions {
  /** Identifies the call, for as long as the suite keeps it (24 hours unless configured). Default: a new one for each call. */
  idempotencyKey?: string;
}

/** Options of a call that changes a resource. */
export interface VersionedOptions extends IdempotentOptions {
  /**
   * The object as you read it, or its ETag: the call fails with `version_conflict` if the resource has changed since. Default: the
   * object that is passed in place of an id. Null: change the resource whatever its version is.
   */
  ifMatch?: Versioned | string | null;
}

/** An object with its version, as the suite returns it. */
export interface Versioned {
  readonly version: number;
}

/** An id, or the object that has it. */
export type Ref = string | { readonly id: string };

/** An id, or the object that has it. Of an object with a version, only this version is changed: `If-Match` is sent. */
export type VersionedRef = string | { readonly id: string; readonly version?: number };

/** One value or several. */
export type OneOrMore<T> = T | readonly T[];

/**
 * The custom fields of your organization by resource, which the suite cannot know when the client is made. Declare them, and those of a
 * resource are checked: `declare module 'work-suite-client' { interface CustomFieldsOf { task: { region: string } } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- applications add the members
export interface CustomFieldsOf {}

/** The value of a custom field: amounts are integers, decimals and days strings, several choices a list. */
export type CustomFieldValue = string | number | boolean | string[] | null;

/** Custom fields by key. A field without a value is null or missing. */
export type CustomFieldValues<Resource extends string> = Resource extends keyof CustomFieldsOf
  ? { [Key in keyof CustomFieldsOf[Resource]]?: CustomFieldsOf[Resource][Key] | null }
  : { [key: string]: CustomFieldValue | undefined };

/** The content of a file. A stream is sent as it arrives, and cannot be sent again: such a call is not repeated. */
export type Upload = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

/** A call of the API. */
export interface Method<Args extends readonly unknown[], Result, Code extends string> {
  (...args: Args): Promise<Result>;
  /** Whether the error is the suite's answer to this call. Its `code` is then one of those that the call documents. */
  isError(error: unknown): error is WorkSuiteError<Code>;
}

/** A call of the API that reads a list. Nothing is sent before the list is read. */
export interface ListMethod<Args extends readonly unknown[], P extends Page, Code extends string> {
  (...args: Args): List<P>;
  /** Whether the error is the suite's answer to this call. Its `code` is then one of those that the call documents. */
  isError(error: unknown): error is WorkSuiteError<Code>;
}

/** One page of a list. */
export interface Page {
  data: readonly unknown[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list. `for await` reads all items, page by page. */
export interface List<P extends Page> extends AsyncIterable<P['data'][number]> {
  /** The first page, or the one that begins at the query's `cursor`. */
  page(): Promise<P>;
  /** All pages. */
  pages(): AsyncIterableIterator<P>;
  /** All items as a CSV file, up to 50,000; one page with a `limit`. */
  csv(): Promise<Response>;
}

/** A field that the suite did not accept. */
export interface ErrorDetail {
  param: string;
  /** `missing`, `wrong_type`, `invalid_value` or `unknown`. */
  code: string;
  message: string;
  allowed?: string[];
}

/** The suite has rejected the call. `code` says why. */
export declare class WorkSuiteError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly type: string;
  readonly status: number;
  /** The invalid field, query parameter or header. */
  readonly param?: string;
  /** All invalid fields. */
  readonly details: readonly ErrorDetail[];
  /** The valid values, if there are few. */
  readonly allowed?: readonly string[];
  /** Identifies the request in the suite's log. */
  readonly requestId: string;
  /** Where the error is explained. */
  readonly docUrl: string;
  /** Seconds to wait before the call is repeated, as the suite says. */
  readonly retryAfter?: number;
  /** The operation that was called, such as `create_task`. */
  readonly operation: string;
  /** All members of the answer's `error`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** There was no answer of the suite, so it is unknown whether the call was executed. `cause` is the reason. */
export declare class ConnectionError extends Error {
  readonly operation: string;
  /** The status of an answer that is not the suite's, but for example a proxy's. */
  readonly status?: number;
}

/** An attempt took longer than `timeoutMs`. */
export declare class TimeoutError extends ConnectionError {}

/** The request is not a webhook of the suite, or it is an old one that was sent again. */
export declare class SignatureError extends Error {}

export interface VerifyOptions {
  /** How old a delivery may be, in seconds. Default: 300. */
  toleranceSeconds?: number;
}

export interface Webhooks<Event> {
  /**
   * The event of a delivery. Rejects with `SignatureError` unless it was signed with the secret, or one of several, within the last five
   * minutes.
   *
   * @param rawBody The body as it arrived. A body that was parsed and serialized again is not the same.
   * @param signature The header `Svc-Signature`.
   * @param secret The endpoint's signing secret; while a secret is being replaced, both.
   */
  verify(
    rawBody: string | Uint8Array | ArrayBuffer,
    signature: string | readonly string[] | null | undefined,
    secret: string | readonly string[],
    options?: VerifyOptions,
  ): Promise<Event>;
}
