import { Injectable } from '@nestjs/common';
import { Members, isUuid, type Ctx, type Member } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import type { ApproverDto } from '../model/types/approval-route.dto.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import type { ApprovalRequest } from '../model/records/approval-request.entity.js';
import { stepAt } from '../model/rules/approval-route.js';

/** Who may decide on a document. Inactive members never may; the submitter only if the type allows it. */
@Injectable()
export class Approvers {
  constructor(private readonly members: Members) {}

  /** The approvers of a step. A role may be empty and a manager unknown. */
  async named(ctx: Ctx, approvers: readonly ApproverDto[], document: Document, definition: TypeDefinition): Promise<Member[]> {
    const found = (await Promise.all(approvers.map((approver) => this.resolve(ctx, approver, document)))).flat();
    const distinct = [...new Map(found.map((member) => [member.id, member])).values()];
    return distinct.filter((member) => member.status === 'active' && mayDecide(member, document, definition));
  }

  /** Everyone with the permission: they decide a step without approvers. */
  async anyone(ctx: Ctx, document: Document, definition: TypeDefinition): Promise<Member[]> {
    return (await this.members.withPermission(ctx, 'papers.document.approve')).filter((member) => mayDecide(member, document, definition));
  }

  /** Who may decide an unnamed request: the step's approvers without a request of their own, or else everyone with the permission. */
  async open(
    ctx: Ctx,
    request: ApprovalRequest,
    requests: readonly ApprovalRequest[],
    document: Document,
    definition: TypeDefinition,
  ): Promise<Member[]> {
    const step = request.routing === 'routed' ? stepAt(definition, request.step_index) : null;
    const named = step ? await this.named(ctx, step.approvers, document, definition) : [];
    const left = named.filter(({ id }) => !requests.some(({ approver_id }) => approver_id === id));
    return left.length > 0 ? left : this.anyone(ctx, document, definition);
  }

  private async resolve(ctx: Ctx, { kind, ref }: ApproverDto, { submitted_by }: Document): Promise<Member[]> {
    if (kind === 'manager') return this.managerOf(ctx, submitted_by);
    if (!ref) return [];
    if (kind === 'role') return this.members.withRole(ctx, ref);
    if (isUuid(ref)) return this.members.byIds(ctx, [ref]);
    const member = await this.members.byEmail(ctx, ref);
    return member ? [member] : [];
  }

  private async managerOf(ctx: Ctx, memberId: string | null): Promise<Member[]> {
    const [member] = memberId === null ? [] : await this.members.byIds(ctx, [memberId]);
    return member?.manager_id ? this.members.byIds(ctx, [member.manager_id]) : [];
  }
}

/** The four-eyes rule: submitters cannot approve their own documents, unless the type allows it. */
export function mayDecide({ id }: Member, { submitted_by }: Document, { allow_self_approval }: TypeDefinition): boolean {
  return allow_self_approval || id !== submitted_by;
}
