import { Injectable } from '@nestjs/common';
import { CommonErrors, Mails, Store, type FormProblem, type Tx, type Visitor } from '../../../../../kit/index.js';
import { DocumentViews } from '../../../views/document-views.js';
import { Document } from '../../../model/records/document.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { Delegating } from './delegating.service.js';
import { Declining } from './declining.service.js';
import { Execution } from '../execution/execution.service.js';
import { Invitations } from '../parties/invitations.service.js';
import { CODE_MINUTES, newCode, newCodeProblem, tryCode } from './one-time-code.js';
import { evidenceOf, nextMoment, signersOf } from '../execution/party-evidence.js';
import { SendingService } from '../parties/sending.service.js';
import { awaited } from '../parties/signing-order.js';
import { DocumentFile } from '../../../model/records/document-file.entity.js';
import { EnteredTexts } from './entered-texts.service.js';
import { readSignature } from './signature-form.js';
import { canDelegate, SignatureParty, type Authentication, type Signature } from '../../../model/records/signature-party.entity.js';
import { standingOf, type SigningLink } from './signing-links.service.js';
import { codeMail } from '../parties/signing-mails.js';
import type { DeclineDto, DelegateDto, SignDto } from './signing.dto.js';

/** The actions of a party on its page. Each locks the document first. An action with form problems returns them and does nothing else. */
@Injectable()
export class Signing {
  constructor(
    private readonly store: Store,
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
    private readonly mails: Mails,
    private readonly invitations: Invitations,
    private readonly execution: Execution,
    private readonly declining: Declining,
    private readonly sending: SendingService,
    private readonly delegating: Delegating,
    private readonly entered: EnteredTexts,
  ) {}

  /** Records that the party opened the document. */
  async view(link: SigningLink): Promise<void> {
    if ((await this.store.find(link.ctx, SignatureParty, link.partyId))?.status !== 'invited') return;
    await this.act(
      link,
      async (tx, document, party) => {
        if (party.status !== 'invited') return;
        await tx.update(party, { status: 'viewed', viewed_at: new Date() });
        await tx.advanced.touch(document);
      },
      undefined,
    );
  }

  async sign(link: SigningLink, form: SignDto, visitor: Visitor): Promise<FormProblem[]> {
    const { signature, problems } = await readSignature(form, link.look.texts.problems);
    return this.act(
      link,
      async (tx, document, party) => {
        const [file] = await tx.list(DocumentFile, { document_id: document.id });
        const placed = await this.entered.read(tx, file, party.key, form.fields ?? {}, link.look);
        if (signature === null || problems.length + placed.problems.length > 0) return [...placed.problems, ...problems];
        const codeProblems = await this.checkCode(link, tx, party, form.code);
        if (codeProblems.length === 0) await this.accept(link, tx, document, party, { signature, field_values: placed.values }, visitor);
        return codeProblems;
      },
      [],
    );
  }

  decline(link: SigningLink, { reason = '', code }: DeclineDto, visitor: Visitor): Promise<FormProblem[]> {
    return this.act(
      link,
      async (tx, document, party) => {
        if (reason.trim() === '') return [{ field: 'reason', text: link.look.texts.problems.reason }];
        const codeProblems = await this.checkCode(link, tx, party, code, 'decline_code');
        if (codeProblems.length === 0) await this.declining.decline(link, tx, document, party, reason.trim(), visitor);
        return codeProblems;
      },
      [{ field: null, text: link.look.texts.problems.alreadySigned }],
    );
  }

  /** Lets another person sign instead, if the type allows it. */
  delegate(link: SigningLink, form: DelegateDto, visitor: Visitor): Promise<FormProblem[]> {
    return this.act(
      link,
      async (tx, document, party) => {
        if (!canDelegate(party)) throw CommonErrors.notFound();
        const problems = await this.delegating.problems(link, tx, document, party, form);
        if (problems.length > 0) return problems;
        const codeProblems = await this.checkCode(link, tx, party, form.code, 'delegate_code');
        if (codeProblems.length === 0)
          await this.delegating.delegate(link, tx, document, await tx.get(SignatureParty, party.id), form, visitor);
        return codeProblems;
      },
      [{ field: null, text: link.look.texts.problems.alreadySigned }],
    );
  }

  /** Sends the party a code by a second mail. */
  sendCode(link: SigningLink): Promise<FormProblem[]> {
    return this.act(
      link,
      async (tx, document, party) => {
        const now = new Date();
        if (party.auth !== 'otp') return [];
        const problem = newCodeProblem(party, now, link.look.texts.problems);
        if (problem !== null) return [{ field: 'new_code', text: problem }];
        const { code, changes } = newCode(party.id, party, now);
        await this.mails.send(link.ctx, tx, codeMail(party, await this.invitations.subjectOf(link.ctx, document), code, CODE_MINUTES));
        await tx.update(party, changes);
        return [];
      },
      [],
    );
  }

  /** Runs the action of a party that may still sign. Returns `otherwise` if the party has already signed. */
  private act<R>(link: SigningLink, act: (tx: Tx, document: Document, party: SignatureParty) => Promise<R>, otherwise: R): Promise<R> {
    const { ctx, documentId, partyId } = link;
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const party = await tx.find(SignatureParty, partyId);
      if (standingOf(link, document, party, new Date()) !== 'open') return otherwise;
      return act(tx, await this.sending.confirm(ctx, tx, document), party as SignatureParty);
    });
  }

  private async checkCode({ look }: SigningLink, tx: Tx, party: SignatureParty, given = '', field = 'code'): Promise<FormProblem[]> {
    if (party.auth !== 'otp') return [];
    const { problem, changes } = tryCode(party.id, party, given.replace(/\s/g, ''), new Date(), look.texts.problems);
    await tx.update(party, changes);
    return problem === null ? [] : [{ field, text: problem }];
  }

  private async accept(
    { ctx, look, kind, madeBy }: SigningLink,
    tx: Tx,
    document: Document,
    { id, auth }: SignatureParty,
    given: { signature: Signature; field_values: Record<string, string> },
    visitor: Visitor,
  ): Promise<void> {
    const before = await this.views.of(ctx, document);
    const earlier = signersOf(await tx.list(SignatureParty, { document_id: document.id, revision: document.revision }));
    const by = kind === 'session' ? 'embedded_link' : 'mailed_link';
    const authentication: Authentication = auth === 'otp' ? `${by}_and_code` : by;
    const facts = {
      ...given,
      authentication,
      link_made_by: madeBy,
      status: 'signed' as const,
      signed_at: nextMoment(earlier, tx.startedAt),
      consent_text: look.texts.sign.consent,
      address: visitor.address,
      user_agent: visitor.userAgent,
    };
    const party = await tx.get(SignatureParty, id);
    const evidence_sha256 = evidenceOf(document.content_sha256 as string, earlier, { ...party, ...facts } as SignatureParty);
    const signed = await tx.update(party, { ...facts, evidence_sha256 });
    const options = {
      before,
      context: { signed: { party: { key: signed.key, name: signed.name, email: signed.email }, reason: null } },
      detail: { party: signed.key, address: visitor.address, evidence_sha256 },
    };
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
    if (awaited(parties).length > 0) {
      await this.invitations.inviteDue(ctx, tx, document);
      const shown = document.state === 'partially_signed' ? await tx.advanced.touch(document) : document;
      await this.moves.move(ctx, tx, shown, 'sign', 'partially_signed', options);
      return;
    }
    const changes = await this.execution.execute(ctx, tx, await this.invitations.subjectOf(ctx, document), signersOf(parties));
    const executed = await this.moves.move(ctx, tx, document, 'sign', 'executed', { ...options, changes });
    await this.invitations.sendCopies(ctx, tx, executed);
  }
}
