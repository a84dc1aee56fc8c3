import {
  ActorDto,
  bothOf,
  Field,
  MAIL_STATUSES,
  pickOf,
  ResourceDto,
  responseOf,
  shownOf,
  type MailState,
  type MailStatus,
} from '../../../../../kit/index.js';
import { PLACED_KINDS, type PlacedKind } from '../../../model/core/placed-fields.js';
import { SignaturePartyDto } from '../../../model/types/signature-party.dto.js';
import { DocumentPartyDto } from '../../../views/document-parts.dto.js';
import { PlacedFieldDto } from '../../files/placed-fields.dto.js';
import {
  AUTHENTICATIONS,
  MOST_EARLIER_SIGNERS,
  shownStatus,
  type Authentication,
  type SignatureParty,
} from '../../../model/records/signature-party.entity.js';

/** The person who signs as a party from now on. */
export class ChangePartyDto {
  @Field.string({
    description: 'Name.',
    example: 'Grace Hopper',
    maxLength: 200,
  })
  name: string;

  @Field.email({
    description: 'E-mail address that the link is sent to.',
    example: 'grace@example.com',
  })
  email: string;
}

/** The delivery state of the mail with the link. */
export class SignatureInvitationDto {
  @Field.oneOf(MAIL_STATUSES, {
    description: 'held: no mail server is configured; suppressed: mail of the test mode, which is never sent.',
    example: 'sent',
  })
  status: MailStatus;

  @Field.dateTime({
    description: 'When the mail server accepted the mail, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  sent_at: string | null;

  @Field.string({
    description: 'Why the mail could not be sent.',
    example: '550 no such mailbox',
    nullable: true,
    maxLength: 2_000,
  })
  error: string | null;
}

/** What proves a signature. */
class SignatureEvidenceDto {
  @Field.oneOf(AUTHENTICATIONS, {
    description:
      'How the party was authenticated: by the link in its mail, or by a one-time link for a frame; each with or without a code from ' +
      'a second mail. null for signatures from before this was recorded.',
    example: 'mailed_link',
    nullable: true,
  })
  authentication: Authentication | null;

  @Field.object(() => ActorDto, {
    description: 'Who made the link for a frame.',
    example: null,
    nullable: true,
  })
  link_made_by: ActorDto | null;

  @Field.map({
    description: 'What the party entered on the pages, by key of the placed field.',
    example: { place: 'Berlin' },
  })
  field_values: Record<string, string>;

  @Field.string({
    description:
      'Hexadecimal SHA-256 over the sha256 of the previous signature, as text, and the canonical JSON (RFC 8785) of the facts on the ' +
      'certificate. The first continues the content_sha256 of the document, which covers all bytes of the final PDF; the executed ' +
      'file begins with them.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  static from({ authentication, link_made_by, field_values, evidence_sha256 }: SignatureParty): SignatureEvidenceDto | null {
    return evidence_sha256 === null ? null : { authentication, link_made_by, field_values, sha256: evidence_sha256 };
  }
}

class EarlierSignerDto extends shownOf(ChangePartyDto, { name: { maxLength: 255 }, email: 'E-mail address.' }) {
  @Field.oneOf(['party', 'sender'] as const, {
    description: 'party: they passed the document on themselves; sender: the organization changed the party.',
    example: 'sender',
  })
  replaced_by: 'party' | 'sender';

  @Field.dateTime({
    description: 'UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  replaced_at: string;
}

/** Where a party signs or fills something in. */
class PartyFieldDto extends pickOf(PlacedFieldDto, ['key']) {
  @Field.oneOf(PLACED_KINDS, {
    description: 'What it is.',
    example: 'text',
  })
  kind: PlacedKind;

  @Field.string({
    description: 'Prompt.',
    example: 'Place',
    maxLength: 100,
    nullable: true,
  })
  label: string | null;

  @Field.boolean({
    description: 'Whether the party must fill it in.',
    example: true,
  })
  required: boolean;

  @Field.string({
    description: 'What the party filled in, as the pages show it; null before, and of signatures.',
    example: 'Berlin',
    nullable: true,
    maxLength: 10_000,
  })
  text: string | null;
}

/** A person who is asked to sign a document. */
export class SignaturePartyViewDto extends bothOf(
  bothOf(ResourceDto, pickOf(DocumentPartyDto, ['key', 'status', 'signed_at'])),
  bothOf(
    shownOf(ChangePartyDto, { name: { maxLength: 255 }, email: true }),
    shownOf(SignaturePartyDto, { label: 'Role of the party.', required: true, may_delegate: true }),
  ),
) {
  @Field.constant('signature_party')
  object: string;

  @Field.uuid({
    description: 'Document to be signed.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  document_id: string;

  @Field.integer({
    description: 'Position in the signing order. Parties are invited once all required parties with a lower number have signed.',
    example: 1,
    minimum: 1,
  })
  turn: number;

  @Field.object(() => EarlierSignerDto, {
    description:
      'The signers before this one, the earliest first. The text of the document stays as it was finalized, so it may name them; the ' +
      'signing page and the certificate name all of them.',
    list: { maxItems: MOST_EARLIER_SIGNERS },
    example: [],
  })
  earlier_signers: EarlierSignerDto[];

  @Field.object(() => SignatureInvitationDto, {
    description: 'The latest mail with a link. Null if the party was not invited yet.',
    example: undefined,
    nullable: true,
  })
  invitation: SignatureInvitationDto | null;

  @Field.dateTime({
    description: 'When the link was first opened, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  viewed_at: string | null;

  @Field.object(() => SignatureEvidenceDto, {
    description: 'What proves the signature; null before it.',
    example: undefined,
    nullable: true,
  })
  evidence: SignatureEvidenceDto | null;

  @Field.dateTime({
    description: 'When the party declined, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  declined_at: string | null;

  @Field.string({
    description: 'Reason given by the party.',
    example: 'Clause 4 is not what we agreed on.',
    nullable: true,
    maxLength: 2_000,
  })
  decline_reason: string | null;

  @Field.integer({
    description: 'Automatic reminders that the party was sent.',
    example: 0,
    minimum: 0,
  })
  reminders: number;

  @Field.object(() => PartyFieldDto, {
    description: 'Where the party signs and what it fills in, in the order of the files; empty once the contents were erased.',
    example: undefined,
    list: { maxItems: 500, repeats: true },
  })
  fields: PartyFieldDto[];

  static from(party: SignatureParty, mail: MailState | undefined, fields: PartyFieldDto[]): SignaturePartyViewDto {
    return {
      ...responseOf(SignaturePartyViewDto, party),
      status: shownStatus(party),
      invitation: mail ? responseOf(SignatureInvitationDto, mail) : null,
      evidence: SignatureEvidenceDto.from(party),
      fields,
    };
  }
}
