import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Members, Store, type Ctx, type Tx } from '../../../../kit/index.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { DocumentSubmission } from '../../model/records/document-submission.entity.js';
import { Document, type FurtherFile } from '../../model/records/document.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { Look } from '../../settings/document-looks.service.js';
import { amountsOf, changesBetween, type FieldChange, type Submitted } from './submission-changes.js';

/** What an approver should know about a submission. */
export interface SubmissionSummary {
  amounts: readonly (readonly [label: string, amount: string])[];
  submitter: string | null;
  comment: string | null;
  /** Null for a first submission of a document that replaces no other. */
  changes: { heading: string; fields: readonly FieldChange[] } | null;
}

/** Keeps what was submitted, and says how it differs from what was submitted before. */
@Injectable()
export class Submissions {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly versions: TypeVersions,
  ) {}

  /** Of the document's current round. */
  async keep(
    tx: Tx,
    { id, project_id, approval_round: round, title, data_values, files }: Document,
    comment: string | null,
  ): Promise<void> {
    const [file] = (await tx.list(DocumentFile, { document_id: id, is_main: true })) as (DocumentFile | undefined)[];
    const submitted = { title, data_values, file_sha256: filesHash(file, files), comment };
    await tx.insert(DocumentSubmission, { project_id, document_id: id, round, ...submitted });
  }

  /** Reads within the caller's transaction, if there is one. */
  async summary(ctx: Ctx, document: Document, look: Look): Promise<SubmissionSummary> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const print = { language: definition.language ?? 'en', timeZone: look.timeZone };
    const rounds = await this.store.list(ctx, DocumentSubmission, { document_id: document.id });
    rounds.sort((one, other) => one.round - other.round);
    const current = rounds.find(({ round }) => round === document.approval_round);
    const earlier = rounds.findLast(({ round }) => round < document.approval_round);
    // what was submitted before submissions were kept is not compared
    const before = current ? (earlier ?? (await this.replaced(ctx, document))) : null;
    const { changes: texts } = look.texts;
    return {
      amounts: amountsOf(definition.field_schema, document.data_values, print),
      submitter: await this.submitterOf(ctx, document),
      comment: current?.comment ?? null,
      changes:
        (current &&
          before && {
            heading: earlier ? texts.sinceSubmission : texts.sinceReplaced,
            fields: changesBetween(definition.field_schema, before, current, print, texts),
          }) ??
        null,
    };
  }

  private async replaced(ctx: Ctx, { supersedes_id }: Document): Promise<Submitted | null> {
    const replaced = supersedes_id === null ? null : await this.store.find(ctx, Document, supersedes_id);
    if (replaced === null) return null;
    const [file] = (await this.store.list(ctx, DocumentFile, { document_id: replaced.id, is_main: true })) as (DocumentFile | undefined)[];
    return { title: replaced.title, data_values: replaced.data_values, file_sha256: filesHash(file, replaced.files) };
  }

  private async submitterOf(ctx: Ctx, { submitted_by, created_by }: Document): Promise<string | null> {
    const [member] = submitted_by === null ? [] : await this.members.byIds(ctx, [submitted_by]);
    return (member as { name: string } | undefined)?.name ?? created_by.email;
  }
}

/** Changes when a file, a name of one, or their order changes; null for a document that consists of the text of its type alone. */
function filesHash(main: DocumentFile | undefined, files: readonly FurtherFile[]): string | null {
  if (files.length === 0) return main?.sha256 ?? null;
  return hash('sha256', JSON.stringify([main?.sha256 ?? null, ...files.map(({ name, sha256 }) => [name, sha256])]));
}
