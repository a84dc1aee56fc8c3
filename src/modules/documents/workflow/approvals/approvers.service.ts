import { Injectable } from '@nestjs/common';
import { Members, isUuid, type Ctx, type Member } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { ApproverDto } from '../../model/types/approval-route.dto.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { APPROVE, isMeant, managerOf, mayApprove, mayDecide, openTo, panelOf, type Panel } from '../../model/rules/approval-panel.js';
import { appliesTo, escalatedStep, stepAt, stepsOf, type RouteStep } from '../../model/rules/approval-route.js';

/** Who may decide on a document. Only active members with the permission; the submitter only if the type allows it. */
@Injectable()
export class Approvers {
  constructor(private readonly members: Members) {}

  /** Who decides a step. A role may be empty and a manager unknown. */
  async panel(ctx: Ctx, step: RouteStep, document: Document, definition: TypeDefinition): Promise<Panel> {
    return panelOf(step, await this.candidates(ctx, namedOn(step), document), document, definition);
  }

  /** Who may decide each of these unnamed requests, including those with a request of their own. Reads each step's members once. */
  async eligible(
    ctx: Ctx,
    given: readonly { request: ApprovalRequest; document: Document; definition: TypeDefinition }[],
  ): Promise<ReadonlyMap<string, readonly Member[]>> {
    const candidates = new Map<string, Promise<Member[]>>();
    let everyone: Promise<Member[]> | undefined;
    const found = given.map(async ({ request, document, definition }): Promise<[string, Member[]]> => {
      const step = decidedAs(request, definition);
      if (step) {
        const named = namedOn(step);
        // the submitter is needed only to determine the manager
        const key = JSON.stringify([named, named.some(({ kind }) => kind === 'manager') ? document.submitted_by : null]);
        const known = candidates.get(key) ?? this.candidates(ctx, named, document);
        candidates.set(key, known);
        const panel = panelOf(step, await known, document, definition);
        if (!panel.isUnrouted) return [request.id, openTo(panel, request)];
      }
      everyone ??= this.members.withPermission(ctx, APPROVE);
      return [request.id, (await everyone).filter((member) => mayDecide(member, document, definition))];
    });
    return new Map(await Promise.all(found));
  }

  /** Everyone with the permission: they decide a step without approvers. */
  async anyone(ctx: Ctx, document: Document, definition: TypeDefinition): Promise<Member[]> {
    return (await this.members.withPermission(ctx, APPROVE)).filter((member) => mayDecide(member, document, definition));
  }

  /** The members to whom an overdue step is escalated. */
  async fallback(ctx: Ctx, step: RouteStep, document: Document, definition: TypeDefinition): Promise<Member[]> {
    return (await this.panel(ctx, escalatedStep(step), document, definition)).approvers;
  }

  /** Who may decide an unnamed request: those of the step without a request of their own, or everyone if it is unrouted. */
  async open(
    ctx: Ctx,
    request: ApprovalRequest,
    requests: readonly ApprovalRequest[],
    document: Document,
    definition: TypeDefinition,
  ): Promise<Member[]> {
    const step = decidedAs(request, definition);
    const panel = step ? await this.panel(ctx, step, document, definition) : null;
    if (panel === null || panel.isUnrouted) return this.anyone(ctx, document, definition);
    return openTo(panel, request).filter(({ id }) => !requests.some(({ approver_id }) => approver_id === id));
  }

  /** Whether the member is one of those who may decide an unnamed request. */
  async isOpenTo(
    ctx: Ctx,
    member: Member,
    request: ApprovalRequest,
    requests: readonly ApprovalRequest[],
    document: Document,
    definition: TypeDefinition,
  ): Promise<boolean> {
    // if everyone with the permission may decide, only this member must be checked
    if (request.routing === 'unrouted' || !stepAt(definition, request.step_index))
      return member.status === 'active' && mayApprove(member) && mayDecide(member, document, definition);
    return (await this.open(ctx, request, requests, document, definition)).some(({ id }) => id === member.id);
  }

  /**
   * Whether a member can decide another step of the submission than the current one: one that is over, in which they were asked,
   * or one that is still to come. `round` are the requests of the submission.
   */
  async isAskedElsewhere(
    ctx: Ctx,
    member: Member,
    document: Document,
    definition: TypeDefinition,
    round: readonly ApprovalRequest[],
  ): Promise<boolean> {
    const current = document.approval_step as number;
    const others = round.filter(({ step_index }) => step_index !== current);
    if (others.some(({ approver_id, routing }) => approver_id === member.id || routing === 'unrouted')) return true;
    const steps = stepsOf(definition).filter((step) => step.index !== current && appliesTo(step, document.data_values));
    if (steps.length === 0) return false;
    const managerId = await this.managerIdOf(ctx, steps, document);
    if (steps.some(({ approvers }) => approvers.some((approver) => isMeant(approver, member, managerId)))) return true;
    for (const step of steps.filter(({ index }) => index > current)) {
      const panel = await this.panel(ctx, step, document, definition);
      if (panel.isUnrouted ? mayApprove(member) : openTo(panel, { in_place_of: null }).some(({ id }) => id === member.id)) return true;
    }
    return false;
  }

  /** Whether the approvers of pending requests may still decide. */
  async presence(ctx: Ctx, requests: readonly ApprovalRequest[]): Promise<(approverId: string) => boolean> {
    const members = await this.members.byIds(
      ctx,
      requests.flatMap(({ approver_id, decision }) => (decision === 'pending' ? (approver_id ?? []) : [])),
    );
    const present = new Set(members.filter((member) => member.status === 'active' && mayApprove(member)).map(({ id }) => id));
    return (approverId) => present.has(approverId);
  }

  /** Who acts in the approver's name: the member of the call or to whom its key is bound, else the approver. */
  async actingMember(ctx: Ctx, approver: Member): Promise<Member> {
    if (ctx.memberId === null || ctx.memberId === approver.id) return approver;
    return (await this.members.byIds(ctx, [ctx.memberId]))[0];
  }

  private async managerIdOf(ctx: Ctx, steps: readonly RouteStep[], document: Document): Promise<string | null> {
    if (!steps.some(({ approvers }) => approvers.some(({ kind }) => kind === 'manager'))) return null;
    return managerOf(await this.members.byIds(ctx, document.submitted_by === null ? [] : [document.submitted_by]), document);
  }

  /** The members that the approvers may mean, and the submitter. */
  private async candidates(ctx: Ctx, approvers: readonly ApproverDto[], { submitted_by }: Document): Promise<Member[]> {
    const submitter = submitted_by === null ? [] : await this.members.byIds(ctx, [submitted_by]);
    const found = await Promise.all(approvers.map((approver) => this.matching(ctx, approver, submitter[0]?.manager_id ?? null)));
    return [...submitter, ...found.flat()];
  }

  private async matching(ctx: Ctx, { kind, ref }: ApproverDto, managerId: string | null): Promise<Member[]> {
    if (kind === 'manager') return managerId === null ? [] : this.members.byIds(ctx, [managerId]);
    if (!ref) return [];
    if (kind === 'role') return this.members.withRole(ctx, ref);
    if (isUuid(ref)) return this.members.byIds(ctx, [ref]);
    const member = await this.members.byEmail(ctx, ref);
    return member ? [member] : [];
  }
}

/** The step whose approvers decide an unnamed request; null if everyone who may approve does. */
function decidedAs({ routing, step_index, is_escalated }: ApprovalRequest, definition: TypeDefinition): RouteStep | null {
  const step = routing === 'routed' ? stepAt(definition, step_index) : null;
  return step && is_escalated ? escalatedStep(step) : step;
}

/** Everyone whom a step names. */
function namedOn({ approvers, escalate_to }: RouteStep): readonly ApproverDto[] {
  return escalate_to ? [...approvers, escalate_to] : approvers;
}
