import { Injectable } from '@nestjs/common';
import { Members, type Ctx, type Member, type Tx } from '../../../../kit/index.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { ApprovalMailer } from './approval-mailer.service.js';
import type { AskKind } from './approval-mails.js';
import { NAMED_AT_MOST } from './approvals.service.js';
import { Approvers } from './approvers.service.js';
import { Substitutes } from './substitutes.service.js';

/** Reminds those who have not decided yet. */
@Injectable()
export class ApprovalReminders {
  constructor(
    private readonly approvers: Approvers,
    private readonly members: Members,
    private readonly substitutes: Substitutes,
    private readonly mailer: ApprovalMailer,
  ) {}

  /**
   * Mails the members who can decide the pending requests of the current step, and the substitutes of those who are away, each once; only
   * those whose address `isMeant` accepts. Returns whom it mailed.
   */
  async mail(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    definition: TypeDefinition,
    pending: readonly ApprovalRequest[],
    kind: AskKind,
    isMeant: (email: string) => boolean = () => true,
  ): Promise<Member[]> {
    const named = await this.members.byIds(
      ctx,
      pending.flatMap(({ approver_id }) => approver_id ?? []),
    );
    const unnamed = pending.find(({ approver_id }) => approver_id === null);
    const several = unnamed ? await this.approvers.open(ctx, unnamed, pending, document, definition) : [];
    const reminded = new Map<string, Member>();
    for (const request of pending) {
      const own = named.filter(({ id, status }) => id === request.approver_id && status === 'active');
      const to = (request.approver_id === null ? several : own).filter(({ email }) => isMeant(email));
      for (const member of to.slice(0, NAMED_AT_MOST)) {
        if (reminded.has(member.id)) continue;
        reminded.set(member.id, member);
        await this.mailer.ask(ctx, tx, [member], { document, stepName: request.step_name, dueAt: request.due_at }, kind);
      }
    }
    for (const { substitute, absent, request } of await this.substitutes.of(ctx, pending, () => document)) {
      if (reminded.has(substitute.id) || !isMeant(substitute.email)) continue;
      reminded.set(substitute.id, substitute);
      const subject = { document, stepName: request.step_name, dueAt: request.due_at, inPlaceOf: absent };
      await this.mailer.ask(ctx, tx, [substitute], subject, kind);
    }
    return [...reminded.values()];
  }
}
