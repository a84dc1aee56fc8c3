import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { openCustomFields, Projects, Store, type Ctx, type Tx } from '../../../kit/index.js';
import {
  answeredChannels,
  CrmConfig,
  Lead,
  LeadsService,
  normalizeEmail,
  normalizeExternalId,
  normalizePhone,
  recordConsent,
  type LeadInput,
} from '../../crm/crm.public.js';
import type { Identity } from './lead-matching.js';
import { lockMatch, type LockedMatch } from './lead-matching.sql.js';
import { LeadSubmissionDto, SubmittedLeadDto, type LeadSubmissionBody, type SubmissionWarningDto } from './lead-submission.dto.js';
import { LeadWebhookLog } from '../log/lead-webhook-log.js';
import { requireCreatable, requireReferences } from './submission-references.js';
import { changedFields, leadInputOf, requireIdentity } from './submission.js';

const NOT_APPLIED: SubmissionWarningDto = {
  code: 'consent_not_applied',
  message: 'The lead exists and keeps its consent; send update_if_exists to change it.',
};

/** Accepts leads from outside. Repeated and concurrent submissions of one person belong to one lead. */
@Injectable()
export class LeadSubmissions {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly leads: LeadsService,
    private readonly config: CrmConfig,
    private readonly log: LeadWebhookLog,
  ) {}

  async submit(ctx: Ctx, body: LeadSubmissionBody): Promise<LeadSubmissionDto> {
    const input = leadInputOf(body);
    requireIdentity(input);
    const project = await this.projects.resolve(ctx, body.project_id ?? undefined);
    return this.store.write(ctx, async (tx) => {
      const identity = await this.identityOf(tx, project.id, input);
      const match = await lockMatch(ctx, tx, project.id, identity);
      const submission = match
        ? await this.countMatch(ctx, tx, match, input, body.update_if_exists === true)
        : await this.create(ctx, tx, project.id, input);
      this.log.note(ctx, {
        id: submission.log_id,
        result: submission.result,
        lead_id: submission.lead.id,
        project_id: project.id,
        candidate_ids: submission.ambiguous ? match!.candidates : [],
      });
      return submission;
    });
  }

  /**
   * Rejects a submission that could never create a lead in the project. `open` names the fields whose values are not known yet,
   * custom fields as `custom_fields.<key>`; for texts among them, the body has examples.
   */
  async requireAcceptable(tx: Tx, projectId: string, body: LeadSubmissionBody, open: readonly string[]): Promise<void> {
    const input = leadInputOf(body);
    requireIdentity(input);
    await this.config.decide(tx, projectId, (config) => requireCreatable(config, input, open));
    const { values, ...fields } = openCustomFields(input.custom_fields, open);
    await tx.customFields.ofNew(Lead, values, { projectId, ...fields });
  }

  private async identityOf(tx: Tx, projectId: string, { external_id, email, phone }: LeadInput): Promise<Identity> {
    const { defaultCountry } = await this.config.of(tx, projectId);
    return { external_id: normalizeExternalId(external_id), email: normalizeEmail(email), phone: normalizePhone(phone, defaultCountry) };
  }

  private async create(ctx: Ctx, tx: Tx, projectId: string, input: LeadInput): Promise<LeadSubmissionDto> {
    const lead = await this.leads.createIn(ctx, tx, projectId, input);
    return {
      object: 'lead_submission',
      result: 'created',
      lead: SubmittedLeadDto.from(lead),
      matched_by: null,
      log_id: uuidv7(),
      warnings: [],
    };
  }

  private async countMatch(
    ctx: Ctx,
    tx: Tx,
    { lead, by, candidates }: LockedMatch,
    input: LeadInput,
    update: boolean,
  ): Promise<LeadSubmissionDto> {
    const submission_count = lead.submission_count + 1;
    if (!update) {
      await this.config.decide(tx, lead.project_id, (config) => requireReferences(config, lead, input));
      await tx.customFields.ofChanged(lead, input.custom_fields);
    }
    const changed = await this.leads.changeIn(ctx, tx, lead, update ? input : {}, { submission_count });
    const submission: LeadSubmissionDto = {
      object: 'lead_submission',
      result: update ? 'updated' : 'matched',
      lead: SubmittedLeadDto.from(changed),
      matched_by: by,
      log_id: uuidv7(),
      warnings: [],
      ...(candidates.length > 1 ? { ambiguous: true } : {}),
      ...(update ? { changed_fields: changedFields(lead, changed) } : {}),
    };
    if (!update && answeredChannels(input).length > 0) {
      await recordConsent(ctx, tx, { resource: 'lead', id: lead.id, project_id: lead.project_id }, input, false);
      submission.warnings.push(NOT_APPLIED);
    }
    return submission;
  }
}
