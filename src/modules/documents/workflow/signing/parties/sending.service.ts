import { Injectable } from '@nestjs/common';
import { CommonErrors, DAY_MS, isEmailAddress, Members, Projects, type Ctx, type ErrorDetail, type Tx } from '../../../../../kit/index.js';
import { DocumentViews } from '../../../views/document-views.js';
import type { DocumentDto } from '../../../views/documents.dto.js';
import type { Document, Sending } from '../../../model/records/document.entity.js';
import { changedSending, deadlineOn, requireSignBy, sendingOf, type GivenSending } from '../../../model/rules/sending.js';
import type { TypeDefinition } from '../../../model/types/type-definition.js';
import { valueAt } from '../../../model/core/data-values.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import type { SignaturePartyDto } from '../../../model/types/signature-party.dto.js';
import { TypeVersions } from '../../../model/types/type-versions.js';
import { DocumentMoves, type MoveBasis } from '../../moves/document-moves.js';
import { Invitations } from './invitations.service.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';

interface Signatory {
  name: string;
  email: string;
}

/**
 * Sends finalized documents to their signature parties. A document is `sent` once the mail server has taken the first of the
 * requests; until then it stays `finalized` with a `send_request`.
 */
@Injectable()
export class SendingService {
  constructor(
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
    private readonly invitations: Invitations,
    private readonly projects: Projects,
    private readonly members: Members,
  ) {}

  /** The transaction must have locked the document. Returns it as sent, or with a pending request. */
  async send(ctx: Ctx, tx: Tx, document: Document, basis: MoveBasis = {}, given?: GivenSending): Promise<Document> {
    if (document.send_request?.status === 'sending')
      throw DocumentErrors.invalidTransition({
        message: 'The signature requests of the document are being mailed; it is sent once the mail server has accepted one.',
      });
    const allowed = await this.moves.check(ctx, document, 'send', 'sent', basis);
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const signatories = signatoriesOf(definition.signature_parties, document);
    const { timezone } = await this.projects.get(ctx, document.project_id);
    const own = changedSending(document.sending, given, timezone, tx.startedAt);
    // the day was chosen earlier and may have passed
    if (own?.sign_by) requireSignBy(own.sign_by, timezone, tx.startedAt);
    const sending = await this.withSender(ctx, document, sendingOf(definition.sending, own), basis);
    const before = await this.views.of(ctx, document);
    // Parties remain from an earlier request if an override reset the document. Their signatures no longer count.
    for (const party of await tx.list(SignatureParty, { document_id: document.id, revision: document.revision })) {
      await this.invitations.retire(tx, party, 'earlier');
      await tx.delete(party);
    }
    for (const [index, { key, label, order, kind, required, auth, may_delegate = false }] of definition.signature_parties.entries()) {
      await tx.insert(SignatureParty, {
        project_id: document.project_id,
        document_id: document.id,
        revision: document.revision,
        key,
        label,
        turn: order,
        kind,
        required,
        auth,
        may_delegate,
        ...signatories[index],
      });
    }
    const options = { sending, signing_deadline_at: deadlineOf(definition, sending, timezone, tx.startedAt) };
    // In the same transaction as the move, so that no link works before the document is sent.
    await this.invitations.inviteDue(ctx, tx, { ...document, ...options } as Document);
    const asked = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision, status: 'invited' });
    // mails that are never sent count as accepted
    if (asked.every(({ invitation }) => invitation === 'accepted'))
      return this.moves.move(ctx, tx, document, 'send', 'sent', {
        ...basis,
        allowed,
        before,
        changes: options,
        context: { sent: { requested_by: ctx.actor } },
      });
    const requested = await tx.update(document, {
      ...options,
      send_request: {
        status: 'sending',
        actor: ctx.actor,
        member_id: ctx.memberId,
        acted_for: basis.actedFor ? { id: basis.actedFor.id, email: basis.actedFor.email } : null,
        lifecycle_action: basis.lifecycleAction ?? null,
      },
    });
    const acted_for = basis.actedFor?.email ?? null;
    await this.moves.record(ctx, tx, document, 'papers.send_request', { to_state: document.state, acted_for });
    return requested;
  }

  /** Replies to the mails go to whoever sends the document: for a key without a member, who submitted it. */
  private async withSender(ctx: Ctx, document: Document, sending: Sending | null, { actedFor }: MoveBasis): Promise<Sending | null> {
    const ids = [ctx.memberId, document.submitted_by].filter((id) => id !== null);
    const members = actedFor ? [] : await this.members.byIds(ctx, ids);
    const sender = ids.map((id) => members.find((member) => member.id === id && member.status === 'active')).find((member) => member);
    const reply_to = actedFor?.email ?? sender?.email;
    return reply_to === undefined ? sending : { ...sending, reply_to };
  }

  /** The mail server has accepted a request: the document is sent. Does nothing without a request. The document must be locked. */
  async confirm(ctx: Ctx, tx: Tx, document: Document, before?: DocumentDto): Promise<Document> {
    if (document.send_request === null) return document;
    const { actor, member_id, acted_for: actedFor, lifecycle_action: lifecycleAction } = document.send_request;
    return this.moves.move(ctx, tx, document, 'send', 'sent', {
      lifecycleAction,
      actedFor,
      before,
      // their role was checked when they sent it
      automatic: true,
      context: { sent: { requested_by: actor } },
      detail: member_id === null ? {} : { member_id },
    });
  }

  /** The mail server has rejected a request. The sending has failed once it has rejected all of them. */
  async reject(tx: Tx, document: Document): Promise<Document> {
    if (document.send_request === null) return document;
    const asked = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision, status: 'invited' });
    return asked.every(({ invitation }) => invitation === 'failed')
      ? tx.update(document, { send_request: { ...document.send_request, status: 'failed' } })
      : document;
  }
}

/** When the time to sign ends: after the last day that the document names, or as many days from now as its type says. */
function deadlineOf({ signing_days }: TypeDefinition, sending: Sending | null, timeZone: string, now: Date): Date | null {
  if (sending?.sign_by) return deadlineOn(sending.sign_by, timeZone);
  return signing_days === null ? null : new Date(now.getTime() + signing_days * DAY_MS);
}

/** Name and address of every party, from the document's values. One error reports all missing values. */
function signatoriesOf(parties: readonly SignaturePartyDto[], { data_values }: Document): Signatory[] {
  if (parties.length === 0)
    throw DocumentErrors.invalidTransition({ message: 'The document cannot be sent because its type has no signature parties.' });
  const missing: ErrorDetail[] = [];
  const wrong: ErrorDetail[] = [];
  const read = (path: string): string => {
    const value = valueAt(data_values, path);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    missing.push({
      param: `data_values.${path}`,
      code: 'missing',
      message: `data_values.${path} is required to send the document to its signature parties`,
    });
    return '';
  };
  const signatories = parties.map(({ name_from, email_from }) => {
    const [name, email] = [read(name_from), read(email_from)];
    if (email !== '' && !isEmailAddress(email))
      wrong.push({
        param: `data_values.${email_from}`,
        code: 'invalid_value',
        message: `data_values.${email_from} must be an e-mail address`,
      });
    return { name, email };
  });
  if (missing.length > 0)
    throw CommonErrors.missingFields({ param: missing[0].param, message: missing[0].message, details: [...missing, ...wrong] });
  if (wrong.length > 0) throw CommonErrors.validationFailed({ param: wrong[0].param, message: wrong[0].message, details: wrong });
  return signatories;
}
