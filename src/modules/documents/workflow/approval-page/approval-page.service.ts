import { Injectable } from '@nestjs/common';
import {
  Contexts,
  memberEmail,
  Members,
  sql,
  Store,
  table,
  type Ctx,
  type Member,
  type TokenRow,
  currentTime,
} from '../../../../kit/index.js';
import { Approvers } from '../approvals/approvers.service.js';
import { Submissions, type SubmissionSummary } from '../approvals/submissions.service.js';
import { Substitutes } from '../approvals/substitutes.service.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { DocumentComment } from '../../model/records/document-comment.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { mayApprove } from '../../model/rules/approval-panel.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { DocumentLooks, type Look } from '../../settings/document-looks.service.js';
import { ApprovalLink } from '../approvals/approval-link.entity.js';

/** The document and member of an approver's link, in the context of its guest. */
export interface ApprovalPageLink {
  ctx: Ctx;
  token: string;
  documentId: string;
  /** Null if the member may no longer decide documents. */
  member: Member | null;
  isExpired: boolean;
  look: Look;
}

/** The link of a member who may decide. */
export type OpenLink = ApprovalPageLink & { member: Member };

/** What an approver sees. */
export interface ApprovalPageView {
  link: OpenLink;
  document: Document;
  /** The request that the member decides; null if there is none now. */
  request: ApprovalRequest | null;
  /** The requests of the current submission by step. */
  requests: readonly ApprovalRequest[];
  comments: readonly DocumentComment[];
  /** By id: approvers and the submitter. */
  members: ReadonlyMap<string, Member>;
  requiresComment: boolean;
  summary: SubmissionSummary;
}

/** What the page of an approver's link shows. */
@Injectable()
export class ApprovalPages {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly members: Members,
    private readonly looks: DocumentLooks,
    private readonly versions: TypeVersions,
    private readonly approvers: Approvers,
    private readonly substitutes: Substitutes,
    private readonly submissions: Submissions,
  ) {}

  /** `requestId` of the visitor's request is recorded with the changes that it makes. */
  async find(token: string, requestId: string | null): Promise<ApprovalPageLink> {
    const unknown = 'This link is unknown.';
    const { ctx, row } = await this.contexts.byToken<LinkRow>(token, byHash, { unknown, requestId });
    const look = await this.looks.of(ctx, row);
    const [member] = await this.members.byIds(ctx, [row.member_id]);
    const mayDecide = member?.status === 'active' && mayApprove(member);
    return {
      ctx,
      token,
      documentId: row.document_id,
      member: mayDecide ? member : null,
      isExpired: row.expires_at <= currentTime(),
      look,
    };
  }

  async view(link: OpenLink): Promise<ApprovalPageView> {
    const { ctx, documentId, member } = link;
    const document = await this.store.get(ctx, Document, documentId);
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const requests = await this.store.list(ctx, ApprovalRequest, { document_id: documentId, round: document.approval_round });
    requests.sort((one, other) => one.step_index - other.step_index || (one.id < other.id ? -1 : 1));
    const ids = [
      ...requests.flatMap(({ approver_id, substitute_id, in_place_of }) =>
        [approver_id ?? [], substitute_id ?? [], in_place_of ?? []].flat(),
      ),
      document.submitted_by ?? [],
    ].flat();
    const [comments, members] = await Promise.all([
      this.store.list(ctx, DocumentComment, { document_id: documentId }),
      this.members.byIds(ctx, [...new Set(ids)]),
    ]);
    return {
      link,
      document,
      request: await this.requestOf(ctx, member, document, requests),
      requests,
      comments,
      members: new Map(members.map((one) => [one.id, one])),
      requiresComment: definition.require_decision_comment,
      summary: await this.submissions.summary(ctx, document, link.look),
    };
  }

  /** The pending request of the current step that the member decides: their own, or an unnamed one. */
  private async requestOf(
    ctx: Ctx,
    member: Member,
    document: Document,
    round: readonly ApprovalRequest[],
  ): Promise<ApprovalRequest | null> {
    if (document.state !== 'in_approval') return null;
    const requests = round.filter(({ step_index }) => step_index === document.approval_step);
    const own = requests.find(({ approver_id }) => approver_id === member.id);
    if (own && own.decision !== 'withdrawn') return own.decision === 'pending' ? own : null;
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    for (const one of requests.filter(({ approver_id, decision }) => approver_id === null && decision === 'pending'))
      if (await this.approvers.isOpenTo(ctx, member, one, requests, document, definition)) return one;
    const absent = (await this.substitutes.absent(ctx, member, document)).map(({ id }) => id);
    return requests.find(({ approver_id, decision }) => decision === 'pending' && absent.includes(approver_id ?? '')) ?? null;
  }
}

interface LinkRow extends TokenRow {
  document_id: string;
  member_id: string;
  type_id: string;
  type_version: number;
  expires_at: Date;
}

const byHash = (hash: string) => sql.unscoped('the approval link that a token names')`
  SELECT l.id, l.organization_id, l.project_id, l.mode, l.document_id, l.member_id, l.expires_at,
    ${memberEmail('l', 'member_id')} AS email, d.type_id, d.type_version
  FROM ${table(ApprovalLink)} l JOIN ${table(Document)} d ON d.id = l.document_id
  WHERE l.token_hash = ${hash}`;
