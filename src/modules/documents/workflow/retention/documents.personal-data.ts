import { containsAddress, ERASED_EMAIL, ERASED_NAME, own, personalData, sql, table, type Person, type Sql } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { DocumentCopy } from '../../model/records/document-copy.entity.js';
import { DocumentMail } from '../../model/records/document-mail.entity.js';
import { DocumentSubmission } from '../../model/records/document-submission.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { SigningLinkRow } from '../../model/records/signing-link.entity.js';
import { Obligation } from '../obligations/obligation.entity.js';

const KEPT =
  'Documents and the evidence of signatures stay until the retention of their type, drafts until they are deleted, ' +
  'legal holds until they end.';

/** Documents that are being signed, are signed, or are on hold. Of others, what only they contain can go. */
const isEvidence = sql`t.document_id IN (SELECT d.id FROM ${table(Document)} d
  WHERE ${own('d')} AND d.erased_at IS NULL AND (d.legal_hold IS NOT NULL OR d.state NOT IN ('draft', 'declined', 'expired', 'rejected')))`;

const isOnHold = sql`t.document_id IN (SELECT d.id FROM ${table(Document)} d WHERE ${own('d')} AND d.legal_hold IS NOT NULL)`;

const ofParty = ({ email }: Person): Sql => sql`
  (SELECT p.document_id FROM ${table(SignatureParty)} p WHERE ${own('p')} AND lower(p.email) = ${email})`;

/** What the module stores about people: signers and recipients of copies. */
export const DOCUMENTS_PERSONAL_DATA = [
  personalData(AuditEntry, {
    title: 'entries of audit trails',
    where: (person) => sql`t.document_id IN ${ofParty(person)}`,
    keep: { why: 'The audit trail of a document never changes.' },
  }),
  personalData(Rendition, {
    title: 'frozen documents',
    where: (person) => sql`t.document_id IN ${ofParty(person)}`,
    keep: { why: KEPT },
  }),
  personalData(Document, {
    title: 'documents',
    where: (person) => sql`${containsAddress(sql`t.data_values::text || t.token_values::text`, person)} OR t.id IN ${ofParty(person)}`,
    keep: { why: KEPT },
  }),
  personalData(DocumentSubmission, {
    title: 'submissions of documents',
    where: (person) => sql`${containsAddress(sql`t.data_values::text`, person)} OR t.document_id IN ${ofParty(person)}`,
    keep: { why: KEPT },
  }),
  personalData(DocumentFile, {
    title: 'removed files of documents',
    where: (person) =>
      sql`t.removed_at IS NOT NULL AND ${containsAddress(sql`t.page_texts::text || t.fields::text || t.removed_as::text`, person)}`,
    erase: 'delete',
    keep: { where: isOnHold, why: KEPT },
  }),
  personalData(DocumentMail, { title: 'mails of documents', where: ({ email }) => sql`lower(t.email) = ${email}`, erase: 'delete' }),
  personalData(SigningLinkRow, {
    title: 'links to documents',
    where: ({ email }) => sql`lower(t.owner_email) = ${email}`,
    names: ['owner_name'],
    erase: { owner_name: null, owner_email: null },
    keep: { where: isEvidence, why: KEPT },
  }),
  personalData(DocumentCopy, {
    title: 'copies of documents',
    where: ({ email }) => sql`lower(t.email) = ${email}`,
    names: ['name'],
    erase: { name: ERASED_NAME, email: ERASED_EMAIL },
    keep: { where: isEvidence, why: KEPT },
  }),
  personalData(Obligation, {
    title: 'obligations',
    where: ({ email }) => sql`lower(t.responsible_email) = ${email}`,
    names: ['responsible_name'],
    erase: { responsible_name: null, responsible_email: null },
  }),
  personalData(SignatureParty, {
    title: 'parties',
    where: (person) => sql`lower(t.email) = ${person.email} OR ${containsAddress(sql`t.earlier_signers::text`, person)}`,
    names: ['name'],
    erase: {
      name: ERASED_NAME,
      email: ERASED_EMAIL,
      earlier_signers: sql`'[]'`,
      field_values: {},
      signature: null,
      initials: null,
      decline_reason: null,
      address: null,
      user_agent: null,
      viewed_address: null,
      viewed_user_agent: null,
    },
    keep: { where: isEvidence, why: KEPT },
  }),
];
