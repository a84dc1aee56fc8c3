import { Injectable } from '@nestjs/common';
import {
  currentTime,
  definedOf,
  invalid,
  projectDay,
  Projects,
  sql,
  Store,
  type Condition,
  type Ctx,
  type Page,
  type Tx,
} from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentViews } from '../../views/document-views.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DEAD, ObligationSeries } from './obligation-series.js';
import { Obligation, type ObligationStatus } from './obligation.entity.js';
import { ObligationDto, type ConfirmObligationDto, type CreateObligationDto, type DocumentObligationsQuery } from './obligations.dto.js';
import { recurrenceProblem } from '../../model/core/recurrence.js';

/** Lists, creates and ends obligations. */
@Injectable()
export class ObligationsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly views: DocumentViews,
    private readonly series: ObligationSeries,
  ) {}

  page(ctx: Ctx, query: DocumentObligationsQuery): Promise<Page<Obligation>> {
    return this.store.page(ctx, Obligation, query, ...conditionsOf(query));
  }

  async pageOf(ctx: Ctx, documentId: string, query: DocumentObligationsQuery): Promise<Page<Obligation>> {
    await this.store.get(ctx, Document, documentId);
    return this.store.page(ctx, Obligation, query, { document_id: documentId }, ...conditionsOf(query));
  }

  async of(ctx: Ctx, obligation: Obligation): Promise<ObligationDto> {
    return (await this.mapper(ctx, [obligation]))(obligation);
  }

  /** Whether an obligation is overdue depends on the time zone of its project. */
  async mapper(ctx: Ctx, obligations: readonly Obligation[]): Promise<(obligation: Obligation) => ObligationDto> {
    const projects = await Promise.all(
      [...new Set(obligations.map(({ project_id }) => project_id))].map((id) => this.projects.get(ctx, id)),
    );
    const zones = new Map(projects.map(({ id, timezone }) => [id, timezone]));
    return (obligation) => ObligationDto.from(obligation, zones.get(obligation.project_id) as string);
  }

  create(
    ctx: Ctx,
    { document_id, responsible, recurrence = null, kind = 'other', reminder_days = [], title, due_on }: CreateObligationDto,
  ): Promise<Obligation> {
    const problem = recurrence === null ? null : recurrenceProblem(recurrence);
    if (problem) throw invalid('recurrence', `${problem}`);
    return this.store.write(ctx, async (tx) => {
      const document = await tx.reference(Document, document_id, 'document_id', { lock: 'update' });
      if (DEAD.includes(document.state))
        throw DocumentErrors.invalidTransition({
          param: 'document_id',
          message: `A document in the state ${document.state} is not in force, so it cannot have new obligations.`,
        });
      const { side, name = null, email = null } = responsible;
      const values = {
        title,
        kind,
        due_on,
        recurrence,
        reminder_days,
        responsible_side: side,
        responsible_name: name,
        responsible_email: email?.toLowerCase() ?? null,
        source: 'manual' as const,
      };
      const obligation = await this.series.add(ctx, tx, document, values);
      await record(ctx, tx, obligation, 'papers.obligation_create', null);
      return obligation;
    });
  }

  /** Puts a proposal of an analysis in force, as proposed or as changed. */
  confirm(ctx: Ctx, id: string, { responsible, ...changes }: ConfirmObligationDto): Promise<Obligation> {
    const confirm = async (tx: Tx, document: Document, obligation: Obligation) => {
      if (DEAD.includes(document.state))
        throw DocumentErrors.invalidTransition({
          message: `A document in the state ${document.state} is not in force, so it cannot have new obligations.`,
        });
      const who = responsible && {
        responsible_side: responsible.side,
        responsible_name: responsible.name ?? null,
        responsible_email: responsible.email?.toLowerCase() ?? null,
      };
      const confirmed = await this.series.confirm(ctx, tx, document, obligation, { ...definedOf(changes), ...who });
      await record(ctx, tx, confirmed, 'papers.obligation_confirm', null);
      return confirmed;
    };
    return this.end(ctx, id, 'confirmed', confirm, ['proposed']);
  }

  complete(ctx: Ctx, id: string): Promise<Obligation> {
    return this.end(ctx, id, 'completed', async (tx, document, obligation) => {
      await record(ctx, tx, obligation, 'papers.obligation_complete', null);
      const completed = await tx.update(obligation, {
        status: 'completed',
        remind_on: null,
        completed_at: currentTime(),
        completed_by: ctx.actor,
      });
      tx.emit(DocumentEvents.obligationCompleted, {
        object: await this.views.of(ctx, document),
        context: { obligation: await this.of(ctx, completed) },
        projectId: document.project_id,
      });
      return this.series.continue(ctx, tx, document, completed);
    });
  }

  /** Waives this occurrence. A recurring obligation continues. */
  waive(ctx: Ctx, id: string, reason: string | null): Promise<Obligation> {
    return this.end(ctx, id, 'waived', async (tx, document, obligation) => {
      await record(ctx, tx, obligation, 'papers.obligation_waive', reason);
      return this.series.continue(ctx, tx, document, await tx.update(obligation, { status: 'waived', remind_on: null }));
    });
  }

  /** Cancels the obligation, or dismisses a proposal. A recurring one does not continue. */
  cancel(ctx: Ctx, id: string, reason: string | null): Promise<Obligation> {
    return this.end(
      ctx,
      id,
      'cancelled',
      async (tx, _document, obligation) => {
        await record(ctx, tx, obligation, 'papers.obligation_cancel', reason);
        return tx.update(obligation, { status: 'cancelled', remind_on: null, continued: true });
      },
      ['proposed', 'pending'],
    );
  }

  private end(
    ctx: Ctx,
    id: string,
    done: string,
    change: (tx: Tx, document: Document, obligation: Obligation) => Promise<Obligation>,
    from: readonly ObligationStatus[] = ['pending'],
  ): Promise<Obligation> {
    return this.store.write(ctx, async (tx) => {
      const { document_id } = await tx.get(Obligation, id);
      const document = await tx.lock(Document, document_id);
      const obligation = await tx.target(Obligation, id);
      if (!from.includes(obligation.status))
        throw DocumentErrors.invalidTransition({
          message: `The obligation is ${obligation.status}. Only a ${from.join(' or ')} obligation can be ${done}.`,
          allowed: from,
        });
      return change(tx, document, obligation);
    });
  }
}

function record(
  ctx: Ctx,
  tx: Tx,
  { id, project_id, document_id, title, due_on }: Obligation,
  action: string,
  reason: string | null,
): Promise<AuditEntry> {
  return tx.insert(AuditEntry, {
    project_id,
    document_id,
    action,
    actor: ctx.actor,
    detail: { obligation_id: id, title, due_on, ...(reason === null ? {} : { reason }) },
  });
}

const OVERDUE = sql`t.status = 'pending' AND t.due_on < ${projectDay('t')}`;

function conditionsOf({ overdue, responsible_email }: DocumentObligationsQuery): Condition<Obligation>[] {
  const conditions: Condition<Obligation>[] = [];
  // No time zone is more than a day ahead of UTC, so nothing due after the UTC date is overdue. This condition bounds the index scan.
  if (overdue === true) conditions.push(sql`t.due_on <= (now() AT TIME ZONE 'UTC')::date AND ${OVERDUE}`);
  if (overdue === false) conditions.push(sql`NOT (${OVERDUE})`);
  if (responsible_email !== undefined) conditions.push({ responsible_email: responsible_email.toLowerCase() });
  return conditions;
}
