/** What is downloaded, and for whom. */
export interface DownloadOptions {
  /** The field with the address, for errors. */
  param: string;
  /** The most bytes of the file; a larger one is an error. */
  most: number;
  /** Media types to ask for, as in the Accept header. */
  accept?: string;
}

/**
 * Downloads files from addresses that callers give. It connects only to targets that webhooks may have, also after a redirect, follows
 * three redirects, and takes at most 20 seconds. Every failure is the error `validation_failed` of the field. Call it before the
 * change begins: no transaction should be open meanwhile.
 *
 * @example
 * ```ts
 * import type { Downloads } from 'work-suite/kit';
 *
 * export const logo = (downloads: Downloads, url: string) => downloads.get(url, { param: 'logo_url', most: 200_000, accept: 'image/png' });
 * ```
 */
export abstract class Downloads {
  abstract get(url: string, options: DownloadOptions): Promise<Buffer>;
}
