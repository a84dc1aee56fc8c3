import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Contexts, own, sql, Store, table, type Ctx, type Mode, type Tx } from '../../../../kit/index.js';
import { DocumentViews } from '../../views/document-views.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DocumentTexts } from '../analyses/document-text.js';
import { RegulatoryCheck } from './regulatory-check.entity.js';
import { RegulatoryFinding } from './regulatory-finding.entity.js';
import type { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';
import { concerns, failureOf, inForce, type RegulatoryRule } from './rule-checks.js';
import { RegulatoryFindingDto } from './rule-packs.dto.js';

/** From approved to executed. */
const CHECKED_STATES = ['approved', 'finalized', 'sent', 'partially_signed', 'executed'];
const BATCH = 200;

type Pack = Pick<RegulatoryRulePack, 'id' | 'organization_id' | 'active' | 'rules' | 'jurisdiction'>;
type Candidate = { id: string; project_id: string; mode: Mode };

/** Checks documents against the rules in force; a document again only if it or the rules have changed since. */
@Injectable()
export class RegulatoryDrift {
  private readonly log = new Logger('Regulatory drift');

  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly views: DocumentViews,
    private readonly texts: DocumentTexts,
  ) {}

  /** Checks the organization's documents in both modes. */
  async check(ctx: Ctx, pack: Pack, now: Date, signal: AbortSignal): Promise<void> {
    const rules = inForce(pack.rules, now.toISOString().slice(0, 10));
    if (!pack.active || rules.length === 0) return;
    const hash = createHash('sha256').update(JSON.stringify(rules)).digest('hex');
    for (let after: string | null = null; ;) {
      const batch: Candidate[] = await this.candidates(ctx, pack, rules, hash, after);
      for (const candidate of batch) {
        signal.throwIfAborted();
        // a document that cannot be rendered must not keep the others from being checked
        await this.checkOne(pack, rules, hash, candidate).catch((error: Error) =>
          this.log.warn(`Document ${candidate.id} could not be checked against the rule pack ${pack.id}: ${error.message}`),
        );
      }
      if (batch.length < BATCH) return;
      after = batch[batch.length - 1].id;
    }
  }

  private candidates(ctx: Ctx, { id }: Pack, rules: readonly RegulatoryRule[], hash: string, after: string | null): Promise<Candidate[]> {
    const types = rules.some(({ type_codes }) => type_codes.length === 0)
      ? null
      : [...new Set(rules.flatMap(({ type_codes }) => type_codes))];
    return this.store.write(ctx, (tx) =>
      tx.sql<Candidate>(
        sql.inBothModes('documents of both modes are checked against a rule pack')`SELECT d.id, d.project_id, d.mode
          FROM ${table(Document)} d LEFT JOIN ${table(RegulatoryCheck)} c ON c.document_id = d.id AND c.pack_id = ${id} AND ${own('c')}
          WHERE ${own('d')} AND d.state = ANY(${CHECKED_STATES}) ${types === null ? sql`` : sql`AND d.type_code = ANY(${types})`}
            ${after === null ? sql`` : sql`AND d.id > ${after}`}
            AND d.erased_at IS NULL AND (c.id IS NULL OR c.rules_hash <> ${hash} OR c.document_version <> d.version)
          ORDER BY d.id LIMIT ${BATCH}`,
      ),
    );
  }

  private async checkOne(pack: Pack, rules: readonly RegulatoryRule[], hash: string, { id, project_id, mode }: Candidate): Promise<void> {
    const ctx = this.contexts.system({ organizationId: pack.organization_id, projectId: project_id, mode });
    const document = await this.store.find(ctx, Document, id);
    if (!document || !CHECKED_STATES.includes(document.state)) return;
    const checked = { text: await this.texts.of(ctx, document), values: document.data_values };
    const failures = rules
      .filter((rule) => concerns(rule, document.type_code))
      .flatMap((rule) => {
        const message = failureOf(rule, checked);
        return message === null ? [] : [{ rule, message }];
      });
    await this.store.write(ctx, async (tx) => {
      // locked, so that concurrent checks write a finding once
      const current = await tx.lock(Document, id);
      if (current.version !== document.version) return;
      const known = await tx.list(RegulatoryFinding, { document_id: id, pack_id: pack.id });
      for (const { rule, message } of failures) {
        if (known.some(({ rule_id, rule_version }) => rule_id === rule.rule_id && rule_version === rule.version)) continue;
        const finding = await tx.insert(RegulatoryFinding, {
          project_id,
          document_id: id,
          pack_id: pack.id,
          rule_id: rule.rule_id,
          rule_version: rule.version,
          jurisdiction: pack.jurisdiction,
          severity: rule.severity,
          message,
        });
        if (rule.severity === 'critical')
          tx.emit(DocumentEvents.riskCriticalDetected, {
            object: await this.views.of(ctx, current),
            projectId: project_id,
            context: { finding: RegulatoryFindingDto.from(finding) },
          });
      }
      await remember(tx, { project_id, document_id: id, pack_id: pack.id, rules_hash: hash, document_version: current.version });
    });
  }
}

async function remember(
  tx: Tx,
  check: Pick<RegulatoryCheck, 'project_id' | 'document_id' | 'pack_id' | 'rules_hash' | 'document_version'>,
): Promise<void> {
  const [known] = await tx.list(RegulatoryCheck, { document_id: check.document_id, pack_id: check.pack_id });
  if (known) await tx.update(known, check);
  else await tx.insert(RegulatoryCheck, check);
}
