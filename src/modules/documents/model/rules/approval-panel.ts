import type { Member } from '../../../../kit/index.js';
import type { ApproverDto } from '../types/approval-route.dto.js';
import type { TypeDefinition } from '../types/type-definition.js';
import type { ApprovalRequest } from '../records/approval-request.entity.js';
import type { Document } from '../records/document.entity.js';
import type { RouteStep } from './approval-route.js';

/** The permission that a decision requires, on every route. */
export const APPROVE = 'papers.document.approve';

/** Who decides a step. */
export interface Panel {
  /** The step's approvers who may decide. */
  approvers: Member[];
  /** Others of the step's fallback (`escalate_to`) who may decide. */
  substitutes: Member[];
  /** The number of approvals that the approvers, with one each, cannot give. The substitutes give them. */
  lacking: number;
  /** The submitter is an approver of the step who may not decide. */
  excludesSubmitter: boolean;
  /** Nobody matches the step's approvers, so everyone with the permission decides. */
  isUnrouted: boolean;
}

/** What the panel of a step depends on besides the members. */
export type PanelDocument = Pick<Document, 'submitted_by'>;

/** Who decides a step, chosen from members that include everyone who matches it, and the submitter. Inactive ones never do. */
export function panelOf(step: RouteStep, members: readonly Member[], document: PanelDocument, definition: TypeDefinition): Panel {
  const active = members.filter(({ status }) => status === 'active');
  const managerId = managerOf(members, document);
  const matching = membersMatching(step.approvers, active, managerId);
  const capable = matching.filter(mayApprove);
  const able = capable.filter((member) => mayDecide(member, document, definition));
  const needed = neededFrom(step, capable.length);
  if (matching.length === 0) return { approvers: [], substitutes: [], lacking: 0, excludesSubmitter: false, isUnrouted: true };
  const fallback = membersMatching(step.escalate_to ? [step.escalate_to] : [], active, managerId);
  const substitutes = fallback.filter(
    (member) => mayApprove(member) && mayDecide(member, document, definition) && !able.some(({ id }) => id === member.id),
  );
  const excludesSubmitter = able.length < capable.length;
  return { approvers: able, substitutes, lacking: Math.max(0, needed - able.length), excludesSubmitter, isUnrouted: false };
}

/** Approvals that nobody can give: neither too few different approvers nor the submitter's exclusion must lower what the step needs. */
export function missingOf({ lacking, substitutes }: Panel): number {
  return Math.max(0, lacking - substitutes.length);
}

/**
 * Who may decide an unnamed request of the step. One in place of the submitter stays open to the substitutes when roles change, and
 * is also open to approvers who have joined since.
 */
export function openTo({ approvers, substitutes, lacking }: Panel, { in_place_of }: Pick<ApprovalRequest, 'in_place_of'>): Member[] {
  return in_place_of !== null || lacking > 0 ? [...approvers, ...substitutes] : approvers;
}

/** Approvals that a step needs; at least one. `approvers` is how many members a step for all of them means. */
function neededFrom({ mode, quorum }: Pick<RouteStep, 'mode' | 'quorum'>, approvers: number): number {
  return Math.max(1, { any: 1, all: approvers, quorum: quorum ?? 1 }[mode]);
}

/** In the order of the approvers, each member once. */
function membersMatching(approvers: readonly ApproverDto[], members: readonly Member[], managerId: string | null): Member[] {
  const found = approvers.flatMap((approver) => members.filter((member) => isMeant(approver, member, managerId)));
  return [...new Map(found.map((member) => [member.id, member])).values()];
}

/** Whether an approver of a route means this member. `managerId` is the manager of the submitter. */
export function isMeant({ kind, ref }: ApproverDto, member: Member, managerId: string | null): boolean {
  if (kind === 'manager') return member.id === managerId;
  if (!ref) return false;
  if (kind === 'role') return member.role === ref;
  return member.id === ref.toLowerCase() || member.email === ref.trim().toLowerCase();
}

export function managerOf(members: readonly Member[], { submitted_by }: PanelDocument): string | null {
  return members.find(({ id }) => id === submitted_by)?.manager_id ?? null;
}

export function mayApprove({ permissions }: Pick<Member, 'permissions'>): boolean {
  return permissions.includes(APPROVE);
}

/** The four-eyes rule: submitters cannot decide on their own documents, unless the type allows it. */
export function mayDecide({ id }: Pick<Member, 'id'>, { submitted_by }: PanelDocument, { allow_self_approval }: TypeDefinition): boolean {
  return allow_self_approval || id !== submitted_by;
}
