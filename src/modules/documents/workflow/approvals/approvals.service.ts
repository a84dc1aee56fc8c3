import { Injectable } from '@nestjs/common';
import { currentTime, HOUR_MS, type Ctx, type Member, type Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { ApprovalMailer } from './approval-mailer.service.js';
import { Submissions } from './submissions.service.js';
import { SubstituteRequests } from './substitute-requests.service.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { missingOf, openTo, type Panel } from '../../model/rules/approval-panel.js';
import {
  appliesTo,
  requestedApprovers,
  requestedSubstitutes,
  firstStep,
  stepAt,
  stepsOf,
  type RouteStep,
} from '../../model/rules/approval-route.js';
import { Approvers } from './approvers.service.js';

/** The most members who are mailed and listed for an unnamed request. */
export const NAMED_AT_MOST = 20;

/** Requests decisions from approvers. */
@Injectable()
export class Approvals {
  constructor(
    private readonly approvers: Approvers,
    private readonly mailer: ApprovalMailer,
    private readonly submissions: Submissions,
    private readonly substitutes: SubstituteRequests,
  ) {}

  /**
   * Requests the decisions of the first step of a submission. Returns the changes of the document. Fails with
   * `not_enough_approvers` if any step that applies needs more approvals than its approvers can give: one each, and the submitter none.
   */
  async begin(ctx: Ctx, tx: Tx, document: Document, definition: TypeDefinition, comment: string | null = null): Promise<Partial<Document>> {
    const step = firstStep(definition, document.data_values);
    const changes: Partial<Document> = {
      approval_round: document.approval_round + 1,
      approval_step: step.index,
      approval_outcome: 'pending',
      submitted_by: ctx.memberId ?? (await authorOf(tx, document)),
    };
    const submitted = { ...document, ...changes } as Document;
    for (const one of stepsOf(definition))
      if (appliesTo(one, document.data_values)) requireEnough(one, await this.approvers.panel(ctx, one, submitted, definition));
    await this.submissions.keep(tx, submitted, comment);
    await this.requestDecisions(ctx, tx, submitted, definition, step);
    return changes;
  }

  /**
   * Requests the decisions of a step. A step that nobody matches gets one request for everyone who may approve. If roles have
   * changed since the submission and approvers are missing, the step keeps an unnamed request for each, so that it still needs them.
   */
  async requestDecisions(ctx: Ctx, tx: Tx, document: Document, definition: TypeDefinition, step: RouteStep): Promise<void> {
    const panel = await this.approvers.panel(ctx, step, document, definition);
    const due_at = step.due_in_hours ? new Date(currentTime().getTime() + step.due_in_hours * HOUR_MS) : null;
    const routing = panel.isUnrouted ? 'unrouted' : 'routed';
    const insert = (approver: Member | null, in_place_of: string | null = null) =>
      tx.insert(ApprovalRequest, { ...requestOf(document, step, approver, due_at), routing, in_place_of });
    const open = Array.from({ length: panel.isUnrouted ? 1 : missingOf(panel) }, () => null);
    const requested = [...requestedApprovers(panel.approvers, step), ...open];
    const substitutes = requestedSubstitutes(panel.substitutes, panel.lacking, step);
    for (const approver of requested) await insert(approver);
    for (const substitute of substitutes) await insert(substitute, panel.excludesSubmitter ? document.submitted_by : null);
    const subject = { document, stepName: step.name, dueAt: due_at };
    const approvers = panel.isUnrouted ? await this.approvers.anyone(ctx, document, definition) : panel.approvers;
    await this.mailer.ask(ctx, tx, mailed(requested, approvers), subject, 'request');
    const kind = panel.excludesSubmitter ? 'substitute' : 'request';
    await this.mailer.ask(ctx, tx, mailed(substitutes, panel.substitutes), subject, kind);
    await this.substitutes.ask(ctx, tx, { ...document, approval_step: step.index } as Document);
  }

  /**
   * Replaces a request whose approver has left the organization. Requests decisions from the current approvers of the step, else from those
   * whose requests were withdrawn, or from everyone who may approve if nobody matches the step any more.
   */
  async replace(ctx: Ctx, tx: Tx, document: Document, definition: TypeDefinition, request: ApprovalRequest): Promise<void> {
    const { step_index, step_name: stepName, due_at: dueAt } = request;
    const requests = await tx.list(ApprovalRequest, { document_id: document.id, round: document.approval_round, step_index });
    const step = stepAt(definition, step_index);
    const panel = step && (await this.approvers.panel(ctx, step, document, definition));
    const isRouted = panel !== null && !panel.isUnrouted;
    const open = { ...request, approver_id: null, routing: isRouted ? 'routed' : 'unrouted' } as ApprovalRequest;
    let asked = await this.approvers.open(ctx, open, requests, document, definition);
    if (asked.length > 0 || !isRouted) await tx.update(request, { approver_id: null, routing: open.routing });
    else {
      const able = openTo(panel, request);
      const back = requests.filter(({ decision, approver_id }) => decision === 'withdrawn' && able.some(({ id }) => id === approver_id));
      for (const one of back) await tx.update(one, { decision: 'pending' });
      // if there is none, the request is for the next member who gets one of the step's roles
      await tx.update(request, back.length > 0 ? { decision: 'withdrawn' } : { approver_id: null });
      asked = able.filter(({ id }) => back.some(({ approver_id }) => approver_id === id));
    }
    await this.mailer.ask(ctx, tx, asked.slice(0, NAMED_AT_MOST), { document, stepName, dueAt }, 'request');
    await this.substitutes.ask(ctx, tx, document);
  }
}

/** The member behind the creation; null for the system, a guest or a key without a member. */
async function authorOf(tx: Tx, { id, created_by }: Document): Promise<string | null> {
  if (created_by.type === 'user') return created_by.id;
  const [created] = await tx.list(AuditEntry, { document_id: id, action: 'papers.create' });
  const author = created?.detail.member_id;
  return typeof author === 'string' ? author : null;
}

/** Of the members who may decide requests: all if each request names one, or else the first ones. */
export function mailed(requested: readonly (Member | null)[], members: readonly Member[]): readonly Member[] {
  if (requested.length === 0) return [];
  return requested.includes(null) ? members.slice(0, NAMED_AT_MOST) : members;
}

function requireEnough({ index, name, mode }: RouteStep, panel: Panel): void {
  const missing = missingOf(panel);
  if (missing === 0) return;
  const able = panel.approvers.length + panel.substitutes.length;
  const given = panel.excludesSubmitter
    ? `without the submitter ${able === 0 ? 'nobody else can decide it' : `only ${able} of its approvers can decide it`}`
    : `only ${able} ${able === 1 ? 'member' : 'members'} can decide it, each of them once`;
  const remedy = panel.excludesSubmitter ? 'Let another member submit the document, or add' : 'Add';
  throw DocumentErrors.notEnoughApprovers({
    param: `approval_route.steps.${index - 1}`,
    message:
      `Step ${index} (${name}, ${mode}) needs ${able + missing} approvals, but ${given}. ` +
      `${remedy} approvers or an escalate_to to the step.`,
    extra: { step: { index, name } },
  });
}

/** A request of a step; without an approver, several members may decide it. */
export function requestOf(
  document: Document,
  step: Pick<RouteStep, 'index' | 'name' | 'mode' | 'quorum'>,
  approver: Member | null,
  due_at: Date | null,
): Partial<ApprovalRequest> {
  return {
    project_id: document.project_id,
    document_id: document.id,
    type_code: document.type_code,
    round: document.approval_round,
    step_index: step.index,
    step_name: step.name,
    step_mode: step.mode,
    quorum: step.quorum ?? null,
    routing: 'routed',
    approver_id: approver?.id ?? null,
    due_at,
  };
}
