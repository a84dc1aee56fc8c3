import type { Ctx, Tx } from '../../../kit/index.js';
import type { Document } from '../documents/document.entity.js';
import type { MoveBasis } from './document-moves.js';

/** Asks the parties of a finalized document to sign it; the signing part provides it. */
export abstract class Sending {
  /** For a document that the transaction has locked; answers it as sent. */
  abstract send(ctx: Ctx, tx: Tx, document: Document, basis?: MoveBasis): Promise<Document>;
}
