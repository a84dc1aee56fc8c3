import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainError, Store, type Ctx } from '../../../kit/index.js';
import type { DocumentState, Trigger } from '../model/core/document-states.js';
import { Document } from '../model/records/document.entity.js';
import { DocumentMoves } from '../workflow/moves/document-moves.js';

/** For `TestApp.inside`: a move that no route performs. Returns "ok" or the error code. */
export async function moveDocument(
  app: NestFastifyApplication,
  ctx: Ctx,
  id: string,
  trigger: Trigger,
  to: DocumentState,
): Promise<string> {
  try {
    await app.get(Store).write(ctx, async (tx) => app.get(DocumentMoves).move(ctx, tx, await tx.lock(Document, id), trigger, to));
    return 'ok';
  } catch (error) {
    if (error instanceof DomainError) return error.spec.code;
    throw error;
  }
}
