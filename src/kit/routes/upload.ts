import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { invalid } from '../errors/invalid-values.js';
import { readMultipart, type FormPart } from './multipart.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** A file that a route accepts: the request body instead of JSON, or a field of a page's form. */
export class Upload {
  constructor(
    /** As the client states it. */
    readonly contentType: string,
    /** Empty only for a page: if no file was chosen or the form was too large. */
    readonly bytes: Buffer,
    /** The form of a page exceeded the route's `bodyLimit` and was discarded, its other fields too. */
    readonly isTooLarge = false,
  ) {}

  /** The fields of a multipart/form-data upload, as views of its bytes. Rejects a malformed form. */
  parts(): FormPart[] {
    return readMultipart(this.bytes, this.contentType);
  }

  /**
   * Represents the file where bodies are compared, as for Idempotency-Key. A form by its parts: each attempt has another boundary. The
   * same bytes are another text in another charset; UTF-8 is what files without one are read as.
   */
  toJSON(): unknown {
    const bytes = hash('sha256', this.bytes);
    const charset = CHARSET.exec(this.contentType)?.[1].toLowerCase() ?? 'utf-8';
    if (!/^multipart\//i.test(this.contentType)) return charset === 'utf-8' ? bytes : [bytes, charset];
    try {
      return this.parts().map((part) => [part.name, part.fileName, part.contentType, hash('sha256', part.bytes)]);
    } catch {
      // the route rejects it
      return bytes;
    }
  }
}

/**
 * A file in a field of a multipart/form-data body, beside the fields of the DTO.
 *
 * @example
 * ```ts
 * import { SentFile } from 'work-suite/kit';
 *
 * const file = new SentFile('ticket.pdf', 'application/pdf', Buffer.from('%PDF-1.7'));
 * ```
 */
export class SentFile {
  constructor(
    /** As the client states it. */
    readonly fileName: string,
    /** As the client states it; may be empty. */
    readonly contentType: string,
    readonly bytes: Buffer,
  ) {}

  /** Represents the file where bodies are compared, as for Idempotency-Key. */
  toJSON(): string[] {
    return [this.fileName, this.contentType, hash('sha256', this.bytes)];
  }
}

/**
 * The bytes of a file in a JSON body; `param` is the field.
 *
 * @example
 * ```ts
 * import { bytesOfBase64 } from 'work-suite/kit';
 *
 * const picture = bytesOfBase64('aGVsbG8=', 'picture'); // 400 for the field if it is no Base64
 * ```
 */
export function bytesOfBase64(base64: string, param: string): Buffer {
  const compact = base64.replace(/\s/g, '');
  const bytes = Buffer.from(compact, 'base64');
  // the decoder skips what is no Base64
  if (bytes.toString('base64').replace(/=+$/, '') !== compact.replace(/=+$/, '')) throw invalid(param, 'must be Base64');
  return bytes;
}

/**
 * Injects the files of a route that accepts them; empty if the body is JSON: `reply(@SentFiles() files: readonly SentFile[])`.
 *
 * @example
 * ```ts
 * import { Body, Controller, Post } from '@nestjs/common';
 * import { Endpoint, SentFiles, type SentFile } from 'work-suite/kit';
 * import { CreateTripDto, TripDto } from './trip.dto.js';
 *
 * @Controller('api/v1/ext/fleet/receipts')
 * export class ReceiptsController {
 *   @Post()
 *   @Endpoint({
 *     operation: 'add_receipts',
 *     summary: 'Add receipts',
 *     scope: 'fleet:trip:write',
 *     returns: TripDto,
 *     files: { field: 'files', description: 'Receipts.', most: 5, bytes: 5_000_000 },
 *   })
 *   add(@Body() body: CreateTripDto, @SentFiles() files: readonly SentFile[]): object {
 *     return { title: body.title, receipts: files.map(({ fileName }) => fileName) };
 *   }
 * }
 * ```
 */
export const SentFiles = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ files?: readonly SentFile[] }>().files ?? [];
});

/**
 * Injects the file that was sent: `import(@Uploaded() upload: Upload)`.
 *
 * @example
 * ```ts
 * import { Controller, Post } from '@nestjs/common';
 * import { csvUpload, Ctx, Endpoint, Uploaded, type Upload } from 'work-suite/kit';
 * import { TripDto } from './trip.dto.js';
 *
 * @Controller('api/v1/ext/fleet/imports')
 * export class TripImportsController {
 *   @Post()
 *   @Endpoint({
 *     operation: 'import_trips',
 *     summary: 'Import trips',
 *     scope: 'fleet:trip:write',
 *     returns: TripDto,
 *     upload: csvUpload('A trip per row.', 'title,starts_on\r\nLyon,2026-11-29\r\n'),
 *   })
 *   load(@Ctx() ctx: Ctx, @Uploaded() { bytes }: Upload): object {
 *     return { mode: ctx.mode, bytes: bytes.length };
 *   }
 * }
 * ```
 */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { upload, body } = context.switchToHttp().getRequest<{ upload?: Upload; body: Upload }>();
  return upload ?? body;
});
