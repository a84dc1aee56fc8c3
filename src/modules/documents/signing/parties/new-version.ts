import type { Tx } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';

/**
 * A document's answer shows its parties, so what changes on one changes the document's version, even where no column of the
 * document does: whoever keeps a copy would not learn of it otherwise.
 */
export async function withNewVersion(tx: Tx, { id }: Document): Promise<Document> {
  await tx.query('UPDATE documents SET version = version + 1, updated_at = now() WHERE id = $1', [id]);
  return tx.get(Document, id);
}
