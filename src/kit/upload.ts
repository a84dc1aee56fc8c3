import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The request body of a route that accepts a file instead of JSON. */
export class Upload {
  constructor(
    readonly contentType: string,
    readonly bytes: Buffer,
  ) {}

  /** A hash that represents the file where bodies are compared, as for Idempotency-Key. */
  toJSON(): string {
    return hash('sha256', this.bytes);
  }
}

/** Injects the file sent as the request body: `import(@Uploaded() upload: Upload)`. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ body: Upload }>().body;
});
