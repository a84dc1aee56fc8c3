import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { dayIn, Projects, Store, type Ctx, type Tx, currentTime } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { DEAD } from './obligation-series.js';
import { Obligation, type ObligationKind } from './obligation.entity.js';

/** A date that an analysis found in the text of a document. */
export interface FoundDate {
  /** `YYYY-MM-DD`. */
  on: string;
  label: string;
}

const MOST = 20;
const LONGEST_TITLE = 255;
/** What is owed on a date, by its label. Other dates, such as the beginning of a term, create no obligation. */
const KINDS: [ObligationKind, RegExp][] = [
  ['payment', /\b(?:pay\w*|paid|invoice\w*|instal\w*|fees?)\b/i],
  ['delivery', /\b(?:deliver\w*|milestone\w*|handover)\b/i],
  ['notice', /\b(?:notice|notif\w*|terminat\w* by)\b/i],
  ['renewal', /\brenew\w*\b/i],
  ['report', /\breport\w*\b/i],
];

/** Proposes obligations from the dates in a document's text. They have no effect until a member confirms them. */
@Injectable()
export class ObligationProposals {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  /** Proposes each obligation once: a repeated analysis adds nothing, and what was confirmed or cancelled does not come back. */
  async propose(ctx: Ctx, documentId: string, dates: readonly FoundDate[]): Promise<void> {
    const dated = dates.flatMap(({ on, label }) => {
      const kind = KINDS.find(([, words]) => words.test(label))?.[0];
      return kind ? [{ kind, on, label }] : [];
    });
    if (dated.length === 0) return;
    await this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      if (DEAD.includes(document.state)) return;
      const { timezone } = await this.projects.get(ctx, document.project_id);
      const today = dayIn(timezone, currentTime());
      const known = await this.known(tx, document.id);
      const isKnown = (kind: string, on: string) => known.some((one) => one.kind === kind && one.due_on === on);
      const fresh = dated.filter(({ kind, on }, index) => {
        const first = dated.findIndex((other) => other.kind === kind && other.on === on);
        return on >= today && first === index && !isKnown(kind, on);
      });
      for (const { kind, on, label } of fresh.slice(0, MOST)) {
        const title = `${label}: ${document.title}`.slice(0, LONGEST_TITLE).toWellFormed();
        const { id } = await tx.insert(Obligation, {
          project_id: document.project_id,
          document_id: document.id,
          revision: document.revision,
          title,
          kind,
          // the text does not say which side must fulfill it; the member who confirms does
          responsible_side: 'us',
          due_on: on,
          series_id: uuidv7(),
          series_start_on: on,
          status: 'proposed',
          source: 'ai',
        });
        await tx.insert(AuditEntry, {
          project_id: document.project_id,
          document_id: document.id,
          action: 'papers.obligation_propose',
          actor: ctx.actor,
          detail: { obligation_id: id, title, kind, due_on: on },
        });
      }
    });
  }

  /** The obligations of a document, as they are and as they were proposed: members change both when they confirm. */
  private async known(tx: Tx, document_id: string): Promise<{ kind: unknown; due_on: unknown }[]> {
    const obligations = await tx.list(Obligation, { document_id });
    const proposed = await tx.list(AuditEntry, { document_id, action: 'papers.obligation_propose' });
    return [...obligations, ...proposed.map(({ detail }) => ({ kind: detail?.['kind'], due_on: detail?.['due_on'] }))];
  }
}
