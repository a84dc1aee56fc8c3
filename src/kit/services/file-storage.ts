import type { Readable } from 'node:stream';

/**
 * Keeps the contents of files outside of PostgreSQL, in place of the built-in S3 client: for example in the storage of a cloud without an
 * S3 API. A module names its provider as `fileStorage` in its manifest. Contents are written to PostgreSQL with the change that they are a
 * part of, and moved here afterwards, so a storage that is down stops no write.
 *
 * @example
 * ```ts
 * import { existsSync, createReadStream } from 'node:fs';
 * import { mkdir, rm, writeFile } from 'node:fs/promises';
 * import { dirname, join } from 'node:path';
 * import type { Readable } from 'node:stream';
 * import { Injectable } from '@nestjs/common';
 * import { FileMissing, FileStorage } from 'work-suite/kit';
 *
 * @Injectable()
 * export class FolderStorage extends FileStorage {
 *   readonly location = 'folder:/mnt/files';
 *
 *   async put(key: string, content: Buffer): Promise<void> {
 *     await mkdir(dirname(this.at(key)), { recursive: true });
 *     await writeFile(this.at(key), content);
 *   }
 *
 *   async get(key: string): Promise<Readable> {
 *     if (!existsSync(this.at(key))) throw new FileMissing(key);
 *     return createReadStream(this.at(key));
 *   }
 *
 *   async delete(key: string): Promise<void> {
 *     await rm(this.at(key), { force: true });
 *   }
 *
 *   private at(key: string): string {
 *     return join('/mnt/files', key);
 *   }
 * }
 * ```
 */
export abstract class FileStorage {
  /** Identifies the storage, without credentials. Contents are read from, and deleted in, the location where they were put. */
  abstract readonly location: string;
  /** Resolves once the content cannot get lost. A key is never used for another content, but can be put again after a failure. */
  abstract put(key: string, content: Buffer): Promise<void>;
  /** The content, which is compared with its hash. Rejects with `FileMissing` if it is not there. */
  abstract get(key: string): Promise<Readable>;
  /** Resolves also if it is not there. */
  abstract delete(key: string): Promise<void>;
}

/**
 * The storage has no content with this key.
 *
 * @example
 * ```ts
 * import { FileMissing } from 'work-suite/kit';
 *
 * export const known = new Map<string, Buffer>();
 *
 * export function contentOf(key: string): Buffer {
 *   const content = known.get(key);
 *   if (!content) throw new FileMissing(key);
 *   return content;
 * }
 * ```
 */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}
