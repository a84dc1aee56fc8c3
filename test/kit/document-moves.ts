import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DomainError, Store } from '../../src/kit/index.js';
import type { DocumentState, Trigger } from '../../src/modules/documents/model/core/document-states.js';
import { Document } from '../../src/modules/documents/model/records/document.entity.js';
import { DocumentMoves } from '../../src/modules/documents/moves/document-moves.js';
import type { CallContext } from '../../src/platform/persistence/transactions/call-context.js';

/** For `TestApp.inside`: a move that no route performs. Returns "ok" or the error code. */
export async function moveDocument(
  app: NestFastifyApplication,
  ctx: CallContext,
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
