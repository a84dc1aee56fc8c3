import { Injectable } from '@nestjs/common';
import { CommonErrors, Mails, newToken, Settings, Store, type Ctx, type Tx } from '../../../../../kit/index.js';
import type { CreateSigningLinkDto, SigningLinkDto } from './signing-links.dto.js';
import { SigningLinkRow } from '../../../model/records/signing-link.entity.js';
import { Document } from '../../../model/records/document.entity.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import { DocumentLooks } from '../../../settings/document-looks.service.js';
import { Contents } from '../../content/contents.service.js';
import { enteredBy } from '../../content/party-stamps.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { ReminderLimit } from '../../moves/reminder-limit.js';
import { SignaturePartyViewDto } from './org-parties.dto.js';
import { PartyChanges } from './changing.service.js';
import { Invitations } from './invitations.service.js';
import { isBeingSigned } from '../../../model/core/document-states.js';
import { SignatureParty, type PartyStatus } from '../../../model/records/signature-party.entity.js';

/** Statuses of parties that can be reminded. `cancelled` is included for documents that an override returned to signing. */
const REMINDABLE: readonly PartyStatus[] = ['invited', 'viewed', 'cancelled'];

const CHANGEABLE: readonly PartyStatus[] = ['waiting', 'invited', 'viewed'];

/** The parties of a document as members see them. */
@Injectable()
export class OrgParties {
  constructor(
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly moves: DocumentMoves,
    private readonly invitations: Invitations,
    private readonly changes: PartyChanges,
    private readonly settings: Settings,
    private readonly contents: Contents,
    private readonly looks: DocumentLooks,
  ) {}

  /** The parties of the current revision, in the signing order. */
  async list(ctx: Ctx, documentId: string): Promise<SignatureParty[]> {
    const { id, revision } = await this.store.get(ctx, Document, documentId);
    const parties = await this.store.list(ctx, SignatureParty, { document_id: id, revision });
    return parties.sort((one, other) => one.turn - other.turn);
  }

  /** Parties of one revision with their mails, and with what they fill in. */
  async shown(ctx: Ctx, parties: readonly SignatureParty[]): Promise<SignaturePartyViewDto[]> {
    if (parties.length === 0) return [];
    const [{ document_id, revision }] = parties;
    const document = await this.store.get(ctx, Document, document_id);
    const states = await this.mails.states(
      ctx,
      parties.flatMap(({ mail_id }) => mail_id ?? []),
    );
    const mails = new Map(states.map((state) => [state.id, state]));
    const fields = await this.contents.fields(ctx, document, revision);
    const { language } = await this.looks.of(ctx, document);
    return parties.map((party) => {
      const entered = new Map(enteredBy(fields, party, language).map(({ key, text }) => [key, text]));
      const own = fields.filter((field) => field.party === party.key);
      return SignaturePartyViewDto.from(
        party,
        mails.get(party.mail_id ?? ''),
        own.map(({ key, kind, label, required }) => ({ key, kind, label, required, text: entered.get(key) ?? null })),
      );
    });
  }

  /** Lets another person sign as the party, until it has signed or declined. */
  change(ctx: Ctx, documentId: string, partyId: string, person: { name: string; email: string }): Promise<SignatureParty> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const party = await tx.target(SignatureParty, partyId);
      if (party.document_id !== document.id || party.revision !== document.revision) throw CommonErrors.notFound();
      requireSigning(document);
      if (!CHANGEABLE.includes(party.status))
        throw DocumentErrors.invalidTransition({
          message: `The party's status is ${party.status}. Only parties that have not signed or declined can be changed.`,
          allowed: CHANGEABLE,
        });
      if (await this.changes.isTaken(tx, document, party, person.email))
        throw CommonErrors.validationFailed({ param: 'email', message: 'email is the address of another party of the document' });
      const changed = await this.changes.change(ctx, tx, document, party, person);
      await tx.advanced.touch(document);
      return changed;
    });
  }

  /** Creates a link that opens the page of a party once. The caller must pass it to that party only. */
  createLink(ctx: Ctx, documentId: string, { party: key, expires_minutes = 10 }: CreateSigningLinkDto): Promise<SigningLinkDto> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.target(Document, documentId);
      requireSigning(document);
      const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
      const party = parties.find((one) => one.key === key);
      if (!party)
        throw CommonErrors.validationFailed({
          param: 'party',
          message: 'party is not a party of the document',
          allowed: parties.map((one) => one.key),
        });
      if (party.status !== 'invited' && party.status !== 'viewed')
        throw DocumentErrors.invalidTransition({
          param: 'party',
          message: `The party's status is ${party.status}. Only a party that is asked to sign now has a signing page.`,
          allowed: ['invited', 'viewed'],
        });
      const { token, hash } = newToken();
      const expires_at = new Date(tx.startedAt.getTime() + expires_minutes * 60_000);
      const { project_id } = document;
      await tx.insert(SigningLinkRow, {
        project_id,
        document_id: document.id,
        party_id: party.id,
        token_hash: hash,
        kind: 'embed',
        made_by: ctx.actor,
        expires_at,
      });
      await this.moves.record(ctx, tx, document, 'papers.signing_link', { to_state: document.state, detail: { party: key } });
      return {
        object: 'signing_link',
        url: `${this.settings.baseUrl}/s/${token}`,
        expires_at: expires_at.toISOString(),
      };
    });
  }

  /** Mails a link again. Links of earlier mails keep working. */
  remind(ctx: Ctx, documentId: string, partyId: string): Promise<SignatureParty> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, documentId);
      const party = await tx.target(SignatureParty, partyId);
      if (party.document_id !== document.id || party.revision !== document.revision) throw CommonErrors.notFound();
      requireSigning(document);
      if (!REMINDABLE.includes(party.status))
        throw DocumentErrors.invalidTransition({
          message: `The party's status is ${party.status}. Only parties that were invited and have not signed or declined can be reminded.`,
          allowed: REMINDABLE,
        });
      const limit = await ReminderLimit.of(tx, document);
      if (!limit.admits(party.email)) limit.requireNobodyWaits();
      const invited = await this.invitations.remind(ctx, tx, document, party);
      await this.moves.record(ctx, tx, document, 'papers.remind', {
        to_state: document.state,
        detail: { party: party.key, reminded: [party.email] },
      });
      await tx.advanced.touch(document);
      return invited;
    });
  }

  /** Mails a new link to the parties that are asked to sign now and whose address `isMeant` accepts. Returns the addresses mailed. */
  async remindOpen(ctx: Ctx, tx: Tx, document: Document, isMeant: (email: string) => boolean): Promise<string[]> {
    requireSigning(document);
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision, status: ['invited', 'viewed'] });
    const reminded = parties.filter((party) => isMeant(party.email));
    for (const party of reminded) await this.invitations.remind(ctx, tx, document, party);
    return reminded.map((party) => party.email);
  }
}

function requireSigning({ state }: Document): void {
  if (!isBeingSigned(state))
    throw DocumentErrors.invalidTransition({
      message: `The document is ${state}, so it cannot be signed now.`,
      allowed: ['sent', 'partially_signed'],
    });
}
