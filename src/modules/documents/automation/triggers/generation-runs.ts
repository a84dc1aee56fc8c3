import { Injectable } from '@nestjs/common';
import { DomainError, Projects, type Ctx, type Project, type Tx } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { DocumentsService } from '../../workflow/authoring/documents.service.js';
import { Finalization } from '../../workflow/transitions/finalization.service.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { Submission } from '../../workflow/transitions/submission.service.js';
import { holds } from '../../model/rules/field-condition.js';
import { eventRoot } from '../mapping/event-root.js';
import type { GenerationTrigger } from './generation-trigger.entity.js';
import { mapped } from '../mapping/source-map.js';
import { titleOf } from '../mapping/title-template.js';

/** The event that triggers run for. */
export interface GenerationEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Whether a retry would fail with the same error. */
export function isPermanent(error: unknown): error is DomainError {
  return error instanceof DomainError && error.spec.status < 500;
}

/** Whether the event meets the conditions of the trigger. */
export function isMet({ conditions }: GenerationTrigger, { type, data }: Pick<GenerationEvent, 'type' | 'data'>): boolean {
  const root = eventRoot(type, data);
  return conditions.every(({ path, op, operand }) => holds({ field: path, op, operand }, root));
}

/** Runs one trigger in the caller's transaction. It creates the document with everything attached, or nothing; an audit row either way. */
@Injectable()
export class GenerationRuns {
  constructor(
    private readonly projects: Projects,
    private readonly documents: DocumentsService,
    private readonly versions: TypeVersions,
    private readonly submission: Submission,
    private readonly finalization: Finalization,
  ) {}

  /**
   * `ctx` acts as the system. `projectId` is the project of the event; null if it has none: then the document belongs to the
   * trigger's project, or else to the default project.
   */
  async run(ctx: Ctx, tx: Tx, trigger: GenerationTrigger, event: GenerationEvent, projectId: string | null): Promise<AuditEntry> {
    let project_id = trigger.project_id ?? projectId;
    const warnings: string[] = [];
    let document: Document | null = null;
    let error: string | null = null;
    try {
      const project = await this.projects.resolve(ctx, project_id);
      project_id = project.id;
      document = await tx.attempt(() => this.generate(ctx, tx, trigger, event, project, warnings));
    } catch (thrown) {
      if (!isPermanent(thrown)) throw thrown;
      error = thrown.message;
    }
    return tx.insert(AuditEntry, {
      project_id,
      document_id: document?.id ?? null,
      action: 'papers.generation',
      actor: ctx.actor,
      to_state: document?.state ?? null,
      status: error === null ? 'completed' : 'failed',
      trigger_id: trigger.id,
      event_id: event.id,
      error,
      detail: { event_type: event.type, warnings: error === null ? warnings : [] },
    });
  }

  private async generate(
    ctx: Ctx,
    tx: Tx,
    trigger: GenerationTrigger,
    event: GenerationEvent,
    project: Project,
    warnings: string[],
  ): Promise<Document> {
    const type = await tx.get(DocumentType, trigger.document_type_id);
    const root = eventRoot(event.type, event.data);
    const { title, isCut } = titleOf(trigger.title_template, root);
    if (isCut) warnings.push('The title was longer than 255 characters and was truncated.');
    const data_values = mapped(trigger.source_map, root, project.timezone);
    const source_ref = { type: event.type, id: typeof event.data.id === 'string' ? event.data.id : event.id };
    const { sending } = trigger;
    let document = await this.documents.createIn(ctx, tx, project, {
      type_code: type.code,
      title,
      data_values,
      source_ref,
      sending: sending && { ...sending },
    });
    if (trigger.auto_submit) document = await this.submission.submitIn(ctx, tx, document, null);
    if (!trigger.auto_finalize) return document;
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    if (!definition.requires_approval) return this.finalization.finalize(ctx, tx, document, { automatic: true });
    warnings.push('auto_finalize was skipped: the type now requires approval.');
    return document;
  }
}
