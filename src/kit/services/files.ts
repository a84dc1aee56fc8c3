import type { Readable } from 'node:stream';
import type { Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import { CommonErrors } from '../errors/common-errors.js';
import { DomainError } from '../errors/errors.js';
import type { Tx } from '../store/store.js';

/**
 * The columns of a row that has a file, for the name `pdf`: `pdf_object_id`, with `@ObjectColumn`, and `pdf`, with the bytes of rows that
 * were written before the table had objects. A table that always had objects has no second column.
 */
export type FileOf<N extends string> = { [K in `${N}_object_id`]: string | null } & { [K in N]?: Buffer | null };

/**
 * The contents of files: PDFs, attachments, pictures. Each content is an object of its organization, stored once however many rows refer
 * to it, in PostgreSQL or, with `STORAGE_URL`, in S3-compatible storage. An object is deleted some time after the last row that refers to
 * it is gone.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { Column, Entity } from 'typeorm';
 * import { BusinessEntity, FileResponse, Files, ObjectColumn, Store, type Ctx } from 'work-suite/kit';
 *
 * @Entity('vehicle_photos')
 * class VehiclePhoto extends BusinessEntity {
 *   @ObjectColumn()
 *   photo_object_id: string | null;
 *
 *   @Column('text')
 *   media_type: string;
 * }
 *
 * @Injectable()
 * export class VehiclePhotos {
 *   constructor(
 *     private readonly store: Store,
 *     private readonly files: Files,
 *   ) {}
 *
 *   add(ctx: Ctx, project_id: string, media_type: string, bytes: Buffer): Promise<VehiclePhoto> {
 *     return this.store.write(ctx, async (tx) =>
 *       tx.insert(VehiclePhoto, { project_id, media_type, ...(await this.files.keep(tx, VehiclePhoto, 'photo', bytes)) }),
 *     );
 *   }
 *
 *   async get(ctx: Ctx, id: string): Promise<FileResponse> {
 *     const row = await this.store.get(ctx, VehiclePhoto, id);
 *     return new FileResponse(row.media_type, await this.files.stream(ctx, row, 'photo'));
 *   }
 * }
 * ```
 */
export abstract class Files {
  /**
   * Stores the content of a file in the transaction and returns the columns of the row that refers to it. With a row instead of bytes, the
   * new row refers to the object of that one.
   */
  abstract keep<N extends string>(tx: Tx, entity: Type<FileOf<N>>, name: N, content: Buffer | FileOf<N>): Promise<FileOf<N>>;
  /** The content of a row's file, in memory: for files of a limited size that are processed. */
  abstract read<N extends string>(ctx: Ctx, row: FileOf<N>, name: N): Promise<Buffer>;
  /** The content of a row's file, piece by piece, for a response. */
  abstract stream<N extends string>(ctx: Ctx, row: FileOf<N>, name: N): Promise<Readable>;
}

/**
 * The content of a file cannot be read at present: its storage does not respond, or does not have it. Callers get 503. A job that ends
 * with it has not failed, and runs again until the content is there.
 *
 * @example
 * ```ts
 * import { FileUnavailable, type Ctx, type FileOf, type Files } from 'work-suite/kit';
 *
 * // null as long as the picture cannot be read
 * export async function pictureOf(files: Files, ctx: Ctx, row: FileOf<'picture'>): Promise<Buffer | null> {
 *   try {
 *     return await files.read(ctx, row, 'picture');
 *   } catch (error) {
 *     if (error instanceof FileUnavailable) return null;
 *     throw error;
 *   }
 * }
 * ```
 */
export class FileUnavailable extends DomainError {
  constructor(message: string, retryAfterSeconds: number) {
    super(CommonErrors.unavailable.spec, { message, headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}
