import { Injectable } from '@nestjs/common';
import { Members, Store, type Condition, type Ctx, type Member, type Page } from '../../../kit/index.js';
import { Document } from '../model/records/document.entity.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import { TypeVersions } from '../model/types/type-versions.js';
import { ApprovalRequest } from '../model/records/approval-request.entity.js';
import { stepAt } from '../model/rules/approval-route.js';
import { NAMED_AT_MOST } from './approvals.service.js';
import { mayDecide } from './approvers.service.js';
import { PendingApprovalDto, type PendingApprovalsQuery } from './pending-approvals.dto.js';

/** Lists pending decisions. Reads documents, types and members once per page. */
@Injectable()
export class PendingApprovals {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly versions: TypeVersions,
  ) {}

  async page(ctx: Ctx, query: PendingApprovalsQuery): Promise<Page<ApprovalRequest>> {
    const conditions: Condition[] = [{ sql: `t.decision = 'pending'`, values: {} }];
    if (query.approver_email !== undefined) {
      const approver = await this.members.byEmail(ctx, query.approver_email);
      conditions.push(approver ? { sql: 't.approver_id = :approver', values: { approver: approver.id } } : { sql: 'FALSE', values: {} });
    }
    return this.store.page(ctx, ApprovalRequest, query, ...conditions);
  }

  async mapper(ctx: Ctx, requests: readonly ApprovalRequest[]): Promise<(request: ApprovalRequest) => PendingApprovalDto> {
    const [documents, approvers, everyone] = await Promise.all([
      this.store.list(ctx, Document, { id: [...new Set(requests.map(({ document_id }) => document_id))] }),
      this.members.byIds(ctx, [...new Set(requests.flatMap(({ approver_id }) => approver_id ?? []))]),
      requests.some(({ approver_id }) => approver_id === null) ? this.members.withPermission(ctx, 'papers.document.approve') : [],
    ]);
    const version = await this.versions.all(ctx, documents);
    const documentOf = new Map(documents.map((document) => [document.id, document]));
    const approverOf = new Map(approvers.map((member) => [member.id, member]));
    const definitionOf = ({ type_id, type_version }: Document) => version(type_id, type_version).definition;
    const rolesOf = (request: ApprovalRequest) =>
      request.routing === 'routed' && request.approver_id === null
        ? rolesOfStep(request, definitionOf(documentOf.get(request.document_id) as Document))
        : [];
    const withRole = new Map(
      await Promise.all(
        [...new Set(requests.flatMap(rolesOf))].map(async (role) => [role, await this.members.withRole(ctx, role)] as const),
      ),
    );
    const now = new Date();
    return (request) => {
      const document = documentOf.get(request.document_id) as Document;
      const approver = approverOf.get(request.approver_id ?? '') ?? null;
      const may = (members: readonly Member[]) => members.filter((member) => mayDecide(member, document, definitionOf(document)));
      const several = approver
        ? []
        : may([
            ...new Map(
              rolesOf(request)
                .flatMap((role) => withRole.get(role) ?? [])
                .map((member) => [member.id, member]),
            ).values(),
          ]);
      const eligible = approver ? [approver] : (several.length > 0 ? several : may(everyone)).slice(0, NAMED_AT_MOST);
      return PendingApprovalDto.from(request, document, approver, eligible, now);
    };
  }
}

/** Only a step with a role among its approvers can have too many to name each. */
function rolesOfStep({ step_index }: ApprovalRequest, definition: TypeDefinition): string[] {
  return (stepAt(definition, step_index)?.approvers ?? []).flatMap(({ kind, ref }) => (kind === 'role' && ref ? [ref] : []));
}
