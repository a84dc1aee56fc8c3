import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../../kit/index.js';
import { DocumentComment } from '../../model/records/document-comment.entity.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { DocumentSubmission } from '../../model/records/document-submission.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { Images } from '../images/images.service.js';
import { DocumentMoves } from '../moves/document-moves.js';

/**
 * Erases what documents contain, as many days after their end as the published version of their type says: values, files, comments, and
 * what the parties entered. Their hashes stay, and so do the parties, the times of their signatures and the audit trail.
 */
@ScheduledJob({
  name: 'documents.retention',
  everySeconds: 3_600,
})
export class EraseContents implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly moves: DocumentMoves,
    private readonly images: Images,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT d.id, d.organization_id, d.project_id, d.mode FROM ${table(Document)} d
      JOIN ${table(DocumentType)} t ON t.organization_id = d.organization_id AND t.id = d.type_id
      JOIN ${table(DocumentTypeVersion)} v ON v.organization_id = t.organization_id AND v.type_id = t.id AND v.number = t.published_version
      WHERE d.erased_at IS NULL AND d.legal_hold IS NULL AND d.ended_at IS NOT NULL
        AND d.ended_at <= ${now}::timestamptz - make_interval(days => (v.definition->>'retention_days')::integer)`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      // it may have been reopened, or put on hold, in the meantime
      if (document.erased_at !== null || document.ended_at === null || document.legal_hold !== null) return;
      const erased = await tx.update(document, {
        erased_at: now,
        data_values: {},
        custom_fields: {},
        token_values: {},
        missing_required_fields: [],
        source_ref: null,
        sending: null,
      });
      await this.images.erase(tx, document);
      for (const file of await tx.list(DocumentFile, { document_id: id })) await tx.delete(file);
      for (const submission of await tx.list(DocumentSubmission, { document_id: id })) await tx.delete(submission);
      for (const comment of await tx.list(DocumentComment, { document_id: id })) await tx.delete(comment);
      for (const rendition of await tx.list(Rendition, { document_id: id }))
        await tx.update(rendition, { pdf: null, pdf_object_id: null, html: '', fields: [] });
      for (const party of await tx.list(SignatureParty, { document_id: id }))
        await tx.update(party, { signature: null, field_values: {}, decline_reason: null, address: null, user_agent: null, ...NOT_OPENED });
      await this.moves.record(ctx, tx, erased, 'papers.erase', { to_state: erased.state, detail: { ended_at: document.ended_at } });
    });
  }
}

const NOT_OPENED = { viewed_address: null, viewed_user_agent: null };
