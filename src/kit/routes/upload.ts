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

/** A file in a field of a multipart/form-data body, beside the fields of the DTO. */
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

/** The bytes of a file in a JSON body; `param` is the field. */
export function bytesOfBase64(base64: string, param: string): Buffer {
  const compact = base64.replace(/\s/g, '');
  const bytes = Buffer.from(compact, 'base64');
  // the decoder skips what is no Base64
  if (bytes.toString('base64').replace(/=+$/, '') !== compact.replace(/=+$/, '')) throw invalid(param, 'must be Base64');
  return bytes;
}

/** Injects the files of a route that accepts them; empty if the body is JSON: `reply(@SentFiles() files: readonly SentFile[])`. */
export const SentFiles = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ files?: readonly SentFile[] }>().files ?? [];
});

/** Injects the file that was sent: `import(@Uploaded() upload: Upload)`. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { upload, body } = context.switchToHttp().getRequest<{ upload?: Upload; body: Upload }>();
  return upload ?? body;
});
