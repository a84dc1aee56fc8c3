import { Injectable } from '@nestjs/common';
import { CachedNames, Members, own, projectDay, responseOf, sql, Store, table, type Ctx, type Member } from '../../../kit/index.js';
import type { DocumentTypeVersion } from '../model/types/document-type-version.entity.js';
import { TypeVersions } from '../model/types/type-versions.js';
import { ApprovalRequest } from '../model/records/approval-request.entity.js';
import { allowedActions, DECISIONS, mayDecideFor } from '../model/rules/allowed-actions.js';
import { shownStatus, SignatureParty } from '../model/records/signature-party.entity.js';
import { ApprovalDecisionDto, type DocumentApprovalDto, type DocumentPartyDto, type PendingDecisionDto } from './document-parts.dto.js';
import { deciderOf, requestOf, type ShownRequest } from '../model/records/shown-request.js';
import { ApprovalSubstitute } from '../model/records/approval-substitute.entity.js';
import { Document, givenSending } from '../model/records/document.entity.js';
import { DocumentDto } from './documents.dto.js';
import { valueAt } from '../model/core/data-values.js';
import type { Trigger } from '../model/core/document-states.js';
import { valuesInOrder } from '../model/core/field-schema.js';

/** Maps documents to their API representation. A page is read with its approvals; its signatures and members are read at once. */
@Injectable()
export class DocumentViews {
  /** By the row that it shows: whatever changes a document's requests or parties gives it a new version, and so a new row. */
  private readonly views = new WeakMap<Document, { ctx: Ctx; view: DocumentDto }>();

  private readonly numbers: CachedNames;

  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly versions: TypeVersions,
  ) {
    this.numbers = CachedNames.ofColumn(store, Document, 'number');
  }

  /**
   * The same object for the same row and caller: events and the response of one request share it. `requests` are those of the current
   * submission, if the caller knows them.
   */
  async of(ctx: Ctx, document: Document, requests?: readonly ApprovalRequest[]): Promise<DocumentDto> {
    const known = this.views.get(document);
    if (known?.ctx === ctx) return known.view;
    const view = (await this.mapper(ctx, [document], requests))(document);
    this.views.set(document, { ctx, view });
    return view;
  }

  async mapper(ctx: Ctx, documents: readonly Document[], known?: readonly ApprovalRequest[]): Promise<(document: Document) => DocumentDto> {
    const version = await this.versions.all(ctx, documents);
    const [requestsBy, parties] = await Promise.all([this.requestsOf(ctx, documents, known), this.partiesOf(ctx, documents)]);
    const ids = new Set<string>();
    for (const requests of requestsBy.values()) {
      for (const request of requests) {
        const { deciderId, inPlaceOfId } = deciderOf(request);
        for (const id of [deciderId, inPlaceOfId, request.approver_id]) if (id !== null) ids.add(id);
      }
    }
    const isAway = await this.absentees(ctx, documents, requestsBy);
    const members = new Map((await this.members.byIds(ctx, [...ids])).map((member) => [member.id, member]));
    const memberOf = (id: string | null) => (id === null ? undefined : members.get(id));
    return (document) => {
      const type = version(document.type_id, document.type_version);
      const actions = allowedActions(ctx, document, type.definition);
      const approval = approvalOf(ctx, document, requestsBy.get(document.id) ?? [], memberOf, actions, (id) => isAway(document, id));
      return dtoOf(document, type, actions, approval, signatoriesOf(document, type, parties));
    };
  }

  /** The function that maps documents which are read: with the numbers of those that they replace, or that replaced them. */
  async reader(ctx: Ctx, documents: readonly Document[]): Promise<(document: Document) => DocumentDto> {
    const [view, number] = await Promise.all([
      this.mapper(ctx, documents),
      this.numbers.of(
        ctx,
        documents.flatMap(({ supersedes_id, superseded_by_id }) => [supersedes_id, superseded_by_id]),
      ),
    ]);
    return (document) => ({
      ...view(document),
      ...(document.supersedes_id === null ? {} : { supersedes_number: number(document.supersedes_id) }),
      ...(document.superseded_by_id === null ? {} : { superseded_by_number: number(document.superseded_by_id) }),
    });
  }

  /** For whom a signed-in member decides today as a substitute. Keys decide in the name of others anyway. */
  private async absentees(
    ctx: Ctx,
    documents: readonly Document[],
    requestsBy: ReadonlyMap<string, readonly ShownRequest[]>,
  ): Promise<(document: Document, approverId: string) => boolean> {
    const { memberId } = ctx;
    const pending = documents.filter(({ id }) => requestsBy.get(id)?.some(({ decision }) => decision === 'pending'));
    if (memberId === null || ctx.scopes.size > 0 || pending.length === 0) return () => false;
    const rows = await this.store.reader(ctx).sql<{ id: string; member_id: string }>(sql`
      SELECT d.id, s.member_id FROM ${table(Document)} d JOIN ${table(ApprovalSubstitute)} s
        ON s.substitute_id = ${memberId} AND ${own('s')} AND ${projectDay('d')} BETWEEN s.starts_on AND s.ends_on
      WHERE ${own('d')} AND d.id = ANY(${pending.map(({ id }) => id)}::uuid[]) AND d.submitted_by IS DISTINCT FROM ${memberId}`);
    const found = new Set(rows.map(({ id, member_id }) => `${id} ${member_id}`));
    return ({ id }, approverId) => found.has(`${id} ${approverId}`);
  }

  /** The requests of the current submission by document: those that were read with it, or else the rows. */
  private async requestsOf(
    ctx: Ctx,
    documents: readonly Document[],
    known?: readonly ApprovalRequest[],
  ): Promise<Map<string, readonly ShownRequest[]>> {
    const found = new Map<string, readonly ShownRequest[]>();
    for (const { id, approval_round: round, shown_requests } of documents) {
      if (round === 0) continue;
      const shown = shown_requests?.map(requestOf) ?? known;
      found.set(id, shown ?? (await this.store.list(ctx, ApprovalRequest, { document_id: id, round })));
    }
    return found;
  }

  private async partiesOf(ctx: Ctx, documents: readonly Document[]): Promise<SignatureParty[]> {
    const finalized = documents.filter(({ finalized_at }) => finalized_at !== null).map(({ id }) => id);
    return finalized.length > 0 ? this.store.list(ctx, SignatureParty, { document_id: finalized }) : [];
  }
}

function dtoOf(
  document: Document,
  type: DocumentTypeVersion,
  allowed_actions: Trigger[],
  approval: DocumentApprovalDto,
  parties: DocumentPartyDto[],
): DocumentDto {
  return {
    ...responseOf(DocumentDto, document),
    type: { id: document.type_id, code: document.type_code, name: type.name, version: type.number },
    allowed_actions,
    sending: givenSending(document.sending),
    token_values: Object.fromEntries(Object.entries(document.token_values).map(([name, { value }]) => [name, value])),
    data_values: valuesInOrder(type.definition.field_schema, document.data_values),
    approval,
    signature: {
      parties,
      request: document.send_request?.status ?? null,
      deadline_at: document.signing_deadline_at?.toISOString() ?? null,
    },
  };
}

type MemberOf = (id: string | null) => Member | undefined;

function approvalOf(
  ctx: Ctx,
  document: Document,
  requests: readonly ShownRequest[],
  memberOf: MemberOf,
  actions: readonly Trigger[],
  isAway: (approverId: string) => boolean,
): DocumentApprovalDto {
  const steps: DocumentApprovalDto['steps'] = [];
  const pending: PendingDecisionDto[] = [];
  for (const request of requests) {
    const { id, step_index: index, step_name: name, step_mode: mode, routing } = request;
    let step = steps.find((one) => one.index === index);
    if (!step) steps.push((step = { index, name, mode, routing, decisions: [] }));
    step.decisions.push(ApprovalDecisionDto.from(request, memberOf));
    if (request.decision !== 'pending') continue;
    const approver = memberOf(request.approver_id);
    const mayDecide = mayDecideFor(ctx, document, request.approver_id) || (request.approver_id !== null && isAway(request.approver_id));
    const allowed = mayDecide ? DECISIONS.filter((decision) => actions.includes(decision)) : [];
    pending.push({ id, step: { index, name }, approver: approver ? { email: approver.email, name: approver.name } : null, allowed });
  }
  return {
    outcome: document.approval_outcome,
    current_step: document.approval_step,
    steps: steps.sort((one, other) => one.index - other.index),
    pending,
  };
}

/** The parties as they were sent; before sending, as the document's values name them. */
function signatoriesOf(document: Document, { definition }: DocumentTypeVersion, parties: readonly SignatureParty[]): DocumentPartyDto[] {
  const sent = parties.filter(({ document_id, revision }) => document_id === document.id && revision === document.revision);
  return definition.signature_parties.map(({ key, name_from, email_from }) => {
    const party = sent.find((one) => one.key === key);
    if (!party) {
      const [name, email] = [name_from, email_from].map((path) => textAt(document, path));
      return { key, name, email, status: 'waiting', request: null, signed_at: null, field_values: {} };
    }
    const { name, email, invitation: request, signed_at, field_values } = party;
    return { key, name, email, status: shownStatus(party), request, signed_at: signed_at?.toISOString() ?? null, field_values };
  });
}

function textAt({ data_values }: Document, path: string): string | null {
  const value = valueAt(data_values, path);
  return typeof value === 'string' ? value : null;
}
