import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type FormProblem, type Tx, type Visitor, currentTime } from '../../../../../kit/index.js';
import { DocumentFile } from '../../../model/records/document-file.entity.js';
import { Document } from '../../../model/records/document.entity.js';
import { Rendition } from '../../../model/records/rendition.entity.js';
import { canDelegate, filledInBy, SignatureParty, signersOf } from '../../../model/records/signature-party.entity.js';
import { LongTermSeal } from '../execution/long-term-seal.js';
import { SendingService } from '../parties/sending.service.js';
import { Accepting } from './accepting.service.js';
import { Declining } from './declining.service.js';
import { Delegating } from './delegating.service.js';
import { EnteredValues, type FieldedFiles } from './entered-values.service.js';
import { SignatureForm } from './signature-form.js';
import { SigningCodes } from './signing-codes.service.js';
import { standingOf, type SigningLink } from './signing-links.service.js';
import type { DeclineDto, DelegateDto, SignDto } from './signing.dto.js';

/** Openings within this time count as one. */
const SAME_VIEW_MS = 60_000;

/** The actions of a party on its page. Each locks the document first. An action with form problems returns them and does nothing else. */
@Injectable()
export class Signing {
  constructor(
    private readonly store: Store,
    private readonly sending: SendingService,
    private readonly entered: EnteredValues,
    private readonly signatures: SignatureForm,
    private readonly codes: SigningCodes,
    private readonly accepting: Accepting,
    private readonly declining: Declining,
    private readonly delegating: Delegating,
    private readonly seal: LongTermSeal,
  ) {}

  /** Records that the party opened the document. It will sign soon, so the thread that seals is made ready meanwhile. */
  async view(link: SigningLink, { address, userAgent }: Visitor): Promise<void> {
    const found = await this.store.find(link.ctx, SignatureParty, link.partyId);
    if (found?.status === 'invited' || found?.status === 'viewed') void this.seal.prepare();
    const isFirst = found?.status === 'invited';
    const isLater = found?.status === 'viewed' && (found.last_viewed_at?.getTime() ?? 0) < currentTime().getTime() - SAME_VIEW_MS;
    if (!isFirst && !isLater) return;
    await this.act(
      link,
      async (tx, document, party) => {
        const last_viewed_at = tx.startedAt;
        if (party.status === 'viewed') await tx.update(party, { last_viewed_at });
        if (party.status !== 'invited') return;
        // a party that is reminded is invited again
        const first = party.viewed_at === null ? { viewed_at: last_viewed_at, viewed_address: address, viewed_user_agent: userAgent } : {};
        await tx.update(party, { status: 'viewed', last_viewed_at, ...first });
        await tx.advanced.touch(document);
      },
      undefined,
    );
  }

  async sign(link: SigningLink, form: SignDto, visitor: Visitor): Promise<FormProblem[]> {
    const { signature, initials, problems } = await this.signatures.read(form, link.look);
    return this.act(
      link,
      async (tx, document, party) => {
        const placed = await this.entered.read(link.ctx, tx, await finalFiles(tx, document), party.key, form.fields ?? {}, link.look);
        if (signature === null || problems.length + placed.problems.length > 0) return [...placed.problems, ...problems];
        const codeProblems = await this.codes.check(link, tx, party, form.code);
        if (codeProblems.length === 0)
          await this.accepting.accept(link, tx, document, party, { signature, initials, field_values: placed.values }, visitor);
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
        const codeProblems = await this.codes.check(link, tx, party, code, 'decline_code');
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
        const codeProblems = await this.codes.check(link, tx, party, form.code, 'delegate_code');
        if (codeProblems.length === 0)
          await this.delegating.delegate(link, tx, document, await tx.get(SignatureParty, party.id), form, visitor);
        return codeProblems;
      },
      [{ field: null, text: link.look.texts.problems.alreadySigned }],
    );
  }

  /** Sends the party a code by a second mail. */
  sendCode(link: SigningLink): Promise<FormProblem[]> {
    return this.act(link, (tx, document, party) => this.codes.send(link, tx, document, party), []);
  }

  /** Runs the action of a party that may still sign. Returns `otherwise` if the party has already signed. */
  private act<R>(link: SigningLink, act: (tx: Tx, document: Document, party: SignatureParty) => Promise<R>, otherwise: R): Promise<R> {
    const { ctx, documentId, partyId } = link;
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const party = await tx.find(SignatureParty, partyId);
      if (standingOf(link, document, party, currentTime()) !== 'open') return otherwise;
      return act(tx, await this.sending.confirm(ctx, tx, document), party as SignatureParty);
    });
  }
}

/** The final files of a document with the fields on them, and what was filled in before. */
async function finalFiles(tx: Tx, { id, revision }: Document): Promise<FieldedFiles> {
  const files = await tx.list(Rendition, { document_id: id, revision, kind: 'final' });
  const [main] = (await tx.list(DocumentFile, { document_id: id, is_main: true })) as (DocumentFile | undefined)[];
  const earlier = filledInBy(signersOf(await tx.list(SignatureParty, { document_id: id, revision })));
  const fields = files.flatMap(({ position, fields: own }) =>
    (position === 1 && main ? main.fields : own).map((field) => ({ ...field, position })),
  );
  return { files, fields, earlier };
}
