import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Member, type Tx } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import { requestMail } from './approval-mails.js';
import { ApprovalRequest } from '../model/records/approval-request.entity.js';
import { asked, firstStep, type RouteStep } from '../model/rules/approval-route.js';
import { Approvers } from './approvers.service.js';

const HOUR_MS = 3_600_000;
/** How many of the members who may decide an unnamed request are mailed and listed. */
export const NAMED_AT_MOST = 20;

/** Requests decisions from approvers. */
@Injectable()
export class Approvals {
  constructor(
    private readonly approvers: Approvers,
    private readonly mails: Mails,
  ) {}

  /** Requests the decisions of the first step of a submission. Returns the changes of the document. */
  async begin(ctx: Ctx, tx: Tx, document: Document, definition: TypeDefinition): Promise<Partial<Document>> {
    const step = firstStep(definition, document.data_values);
    const changes: Partial<Document> = {
      approval_round: document.approval_round + 1,
      approval_step: step.index,
      approval_outcome: 'pending',
      submitted_by: ctx.memberId,
    };
    await this.ask(ctx, tx, { ...document, ...changes } as Document, definition, step);
    return changes;
  }

  /** Requests the decisions of a step. A step without approvers gets one request for everyone who may approve. */
  async ask(ctx: Ctx, tx: Tx, document: Document, definition: TypeDefinition, step: RouteStep): Promise<void> {
    const named = await this.approvers.named(ctx, step.approvers, document, definition);
    const due_at = step.due_in_hours ? new Date(Date.now() + step.due_in_hours * HOUR_MS) : null;
    const approvers = asked(named, step);
    const routing = named.length > 0 ? 'routed' : 'unrouted';
    for (const approver of approvers) await tx.insert(ApprovalRequest, { ...requestOf(document, step, approver, due_at), routing });
    const mailed = named.length > 0 ? named : await this.approvers.anyone(ctx, document, definition);
    for (const member of approvers[0] === null ? mailed.slice(0, NAMED_AT_MOST) : mailed)
      await this.mails.send(ctx, tx, requestMail(member, { document, stepName: step.name, dueAt: due_at }));
  }

  /** Opens a request to everyone who may approve, because its approvers left the organization. */
  async open(ctx: Ctx, tx: Tx, document: Document, definition: TypeDefinition, request: ApprovalRequest): Promise<void> {
    await tx.update(request, { approver_id: null, routing: 'unrouted' });
    const mailed = (await this.approvers.anyone(ctx, document, definition)).slice(0, NAMED_AT_MOST);
    for (const member of mailed)
      await this.mails.send(ctx, tx, requestMail(member, { document, stepName: request.step_name, dueAt: request.due_at }));
  }
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
