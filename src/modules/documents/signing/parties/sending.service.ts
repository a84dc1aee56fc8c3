import { Injectable } from '@nestjs/common';
import { CommonErrors, isEmailAddress, type Ctx, type ErrorDetail, type Tx } from '../../../../kit/index.js';
import { DocumentViews } from '../../views/document-views.js';
import type { Document } from '../../model/records/document.entity.js';
import { valueAt } from '../../model/core/data-values.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import type { SignaturePartyDto } from '../../model/types/signature-party.dto.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { DocumentMoves, type MoveBasis } from '../../moves/document-moves.js';
import { Invitations } from './invitations.service.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';

const DAY_MS = 86_400_000;

interface Signatory {
  name: string;
  email: string;
}

/** Sends finalized documents to their signature parties. */
@Injectable()
export class SendingService {
  constructor(
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly moves: DocumentMoves,
    private readonly invitations: Invitations,
  ) {}

  /** The transaction must have locked the document. Returns the sent document. */
  async send(ctx: Ctx, tx: Tx, document: Document, basis: MoveBasis = {}): Promise<Document> {
    const allowed = await this.moves.check(ctx, document, 'send', 'sent', basis);
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const signatories = signatoriesOf(definition.signature_parties, document);
    const before = await this.views.of(ctx, document);
    // Parties remain from an earlier request if an override reset the document. Their signatures no longer count.
    for (const party of await tx.list(SignatureParty, { document_id: document.id, revision: document.revision })) await tx.delete(party);
    for (const [index, { key, label, order, kind, required, auth }] of definition.signature_parties.entries()) {
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
        ...signatories[index],
      });
    }
    const signing_deadline_at = definition.signing_days === null ? null : new Date(Date.now() + definition.signing_days * DAY_MS);
    // In the same transaction as the move, so that no link works before the document is sent.
    await this.invitations.inviteDue(ctx, tx, { ...document, signing_deadline_at } as Document);
    return this.moves.move(ctx, tx, document, 'send', 'sent', { ...basis, allowed, before, changes: { signing_deadline_at } });
  }
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
