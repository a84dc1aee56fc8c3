import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The body of a route that takes a file instead of JSON. */
export class Upload {
  constructor(
    readonly contentType: string,
    readonly bytes: Buffer,
  ) {}

  /** What stands for it where bodies are compared, as by Idempotency-Key. */
  toJSON(): string {
    return hash('sha256', this.bytes);
  }
}

/** The file that came as the body: `import(@Uploaded() upload: Upload)`. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ body: Upload }>().body;
});
