import { Injectable } from '@nestjs/common';
import { CommonErrors, own, sql, Store, table, type Ctx } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import { requireMove } from '../moves/document-moves.js';
import { chosenRequest } from './chosen-request.js';
import { Deciders } from './deciders.service.js';
import { DECISIONS, type DecisionInput } from './decision-input.js';
import { Settlements } from './settlements.service.js';

const inCurrentRound = (id: string) =>
  sql`t.round = (SELECT d.approval_round FROM ${table(Document)} d WHERE ${own('d')} AND d.id = ${id})`;

/** Decisions of approvers: `Deciders` find who decides what, `Settlements` record it, `ApprovalProgress` moves the document. */
@Injectable()
export class Decisions {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly deciders: Deciders,
    private readonly settlements: Settlements,
    private readonly comments: DocumentComments,
  ) {}

  /** Checks in the order of the interface: what is decided, state, approver, step, comment, lifecycle. */
  decide(ctx: Ctx, id: string, input: DecisionInput): Promise<Document> {
    return this.store.write(ctx, async (tx) => {
      // sent together: the statements after the first one run once it has locked the document, and see everything committed by then
      const [document, round, named] = await Promise.all([
        tx.target(Document, id),
        tx.list(ApprovalRequest, { document_id: id }, inCurrentRound(id)),
        this.deciders.named(ctx, input),
      ]);
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      const chosen = await chosenRequest(tx, document, definition, round, input);
      requireMove(document, definition, input.kind, DECISIONS[input.kind].state);
      const approver = this.deciders.approver(ctx, document, definition, input, named);
      const given = { document, definition, round };
      const decided = await this.deciders.request(ctx, given, approver, chosen, input.step);
      if (definition.require_decision_comment && !input.comments)
        throw CommonErrors.missingFields({
          param: 'comments',
          message: 'comments is required: the type requires a comment with each decision',
        });
      const settled = await this.settlements.settle(ctx, tx, given, decided, approver, input);
      if (ctx.scenario === 'approval_action_failed') throw DocumentErrors.approvalActionFailed();
      if (input.comments) await this.comments.add(ctx, tx, settled, 'decision', input.comments, approver);
      return settled;
    });
  }
}
