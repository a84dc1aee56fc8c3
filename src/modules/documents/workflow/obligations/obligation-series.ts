import { Injectable } from '@nestjs/common';
import { dayIn, Projects, type Ctx, type Tx, currentTime } from '../../../../kit/index.js';
import { uuidv7 } from 'uuidv7';
import { DocumentViews } from '../../views/document-views.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { DocumentState } from '../../model/core/document-states.js';
import type { MoveHook } from '../moves/move-hook.js';
import { reminderDay } from '../../model/core/calendar-days.js';
import { obligationsOf } from './obligation-rules.js';
import { Obligation } from './obligation.entity.js';
import { ObligationDto } from './obligations.dto.js';
import { nextDay } from '../../model/core/recurrence.js';

/** States in which a document gets no new obligations. */
export const DEAD: readonly DocumentState[] = ['rejected', 'declined', 'expired', 'revoked', 'superseded'];

/** Creates, continues and cancels the obligations of documents. The caller must have locked the document. */
@Injectable()
export class ObligationSeries implements MoveHook {
  constructor(
    private readonly projects: Projects,
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
  ) {}

  /** Creates or cancels obligations as the document's new state requires. */
  async afterMove(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const { state, expired_reason } = document;
    if (state === 'revoked' || state === 'superseded' || (state === 'expired' && expired_reason === 'signing_deadline'))
      return this.cancelObligations(tx, document);
    if (state !== 'executed' && state !== 'finalized') return;
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    // A document with signature parties comes into force with the last signature.
    if (state === 'executed' || definition.signature_parties.length === 0) await this.createObligations(ctx, tx, document);
  }

  /** Applies the rules of the type to a document that has come into force, once per revision however often it is called. */
  async createObligations(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const born = await tx.list(Obligation, { document_id: document.id, source: 'rule' });
    if (definition.obligation_rules.length === 0 || born.some(({ revision }) => revision === document.revision)) return;
    // Cancel those of an earlier revision, or they would exist twice.
    for (const obligation of born)
      if (obligation.status === 'pending') await tx.update(obligation, { status: 'cancelled', remind_on: null });
    const { timezone } = await this.projects.get(ctx, document.project_id);
    const inForceOn = dayIn(timezone, document.executed_at ?? document.finalized_at ?? currentTime());
    for (const values of obligationsOf(definition, document.data_values, inForceOn, timezone)) await this.add(ctx, tx, document, values);
  }

  /** Cancels the pending and proposed obligations of a document that is no longer in force. */
  async cancelObligations(tx: Tx, document: Document): Promise<void> {
    for (const obligation of await tx.list(Obligation, { document_id: document.id, status: ['proposed', 'pending'] }))
      await tx.update(obligation, { status: 'cancelled', remind_on: null });
  }

  /** Creates the first or only occurrence. */
  add(ctx: Ctx, tx: Tx, document: Document, values: Partial<Obligation>): Promise<Obligation> {
    return this.insert(ctx, tx, document, { ...values, series_id: uuidv7(), series_start_on: values.due_on, occurrence: 1 });
  }

  /** Creates the next occurrence once, unless the series or the document has ended. Returns the current occurrence. */
  async continue(ctx: Ctx, tx: Tx, document: Document, obligation: Obligation): Promise<Obligation> {
    const { recurrence, continued, series_start_on, due_on } = obligation;
    if (recurrence === null || continued) return obligation;
    const next = DEAD.includes(document.state) ? null : nextDay(recurrence, series_start_on, due_on);
    if (next !== null) {
      const {
        rule_index,
        title,
        kind,
        responsible_side,
        responsible_name,
        responsible_email,
        series_id,
        occurrence,
        reminder_days,
        source,
      } = obligation;
      const values = {
        rule_index,
        title,
        kind,
        responsible_side,
        responsible_name,
        responsible_email,
        recurrence,
        series_id,
        series_start_on,
        reminder_days,
        source,
      };
      await this.insert(ctx, tx, document, { ...values, due_on: next, occurrence: occurrence + 1 });
    }
    return tx.update(obligation, { continued: true });
  }

  /** Puts a proposal in force. */
  async confirm(ctx: Ctx, tx: Tx, document: Document, proposal: Obligation, changes: Partial<Obligation>): Promise<Obligation> {
    const { timezone } = await this.projects.get(ctx, document.project_id);
    const due_on = changes.due_on ?? proposal.due_on;
    const reminder_days = changes.reminder_days ?? proposal.reminder_days;
    const confirmed = await tx.update(proposal, {
      ...changes,
      series_start_on: due_on,
      remind_on: reminderDay(due_on, reminder_days, dayIn(timezone, currentTime())),
      status: 'pending',
    });
    await this.announce(ctx, tx, document, confirmed, timezone);
    return confirmed;
  }

  private async announce(ctx: Ctx, tx: Tx, document: Document, obligation: Obligation, timezone: string): Promise<void> {
    tx.emit(DocumentEvents.obligationCreated, {
      object: await this.views.of(ctx, document),
      context: { obligation: ObligationDto.from(obligation, timezone) },
      projectId: document.project_id,
    });
  }

  private async insert(ctx: Ctx, tx: Tx, document: Document, values: Partial<Obligation>): Promise<Obligation> {
    const { timezone } = await this.projects.get(ctx, document.project_id);
    const remind_on = reminderDay(values.due_on as string, values.reminder_days ?? [], dayIn(timezone, currentTime()));
    const obligation = await tx.insert(Obligation, {
      ...values,
      project_id: document.project_id,
      document_id: document.id,
      revision: document.revision,
      remind_on,
    });
    await this.announce(ctx, tx, document, obligation, timezone);
    return obligation;
  }
}
