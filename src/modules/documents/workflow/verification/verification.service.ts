import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { CommonErrors, Contexts, Files, own, sql, Store, table, type Ctx, type TokenRow, type Upload } from '../../../../kit/index.js';
import { revisionsOf, type FileRevision } from '../../engine/signatures/revisions.js';
import type { PdfProblem } from '../../engine/reading/pdf-text.js';
import type { ReadSignature } from '../../engine/signatures/signatures.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import { SignatureParty, signersOf } from '../../model/records/signature-party.entity.js';
import { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { contentHash } from '../../engine/certificate/certificate-evidence.js';
import { evidenceOf } from '../signing/execution/party-evidence.js';
import type { VerificationDto } from './verification.dto.js';

/** The largest uploaded file, with the certificate and the seal. */
export const MOST_VERIFIED_BYTES = 12 * 1024 * 1024;
/** The files that one process reads at once, and that may wait. */
const AT_ONCE = 1;
const MOST_WAITING = 4;
/** Readers look for the header of a PDF in its first kilobyte. */
const HEADER_BYTES = 1024;

type Known = NonNullable<VerificationDto['document']>;

/** Says what a file proves, to anyone who has it. Nothing of it is stored. */
@Injectable()
export class Verification {
  private readonly limit = pLimit(AT_ONCE);

  constructor(
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly files: Files,
    private readonly looks: DocumentLooks,
    private readonly typesetter: PdfTypesetter,
  ) {}

  async verify({ bytes, isTooLarge }: Upload): Promise<VerificationDto> {
    if (isTooLarge || bytes.length > MOST_VERIFIED_BYTES)
      throw CommonErrors.payloadTooLarge({ param: 'file', message: `file must have at most ${MOST_VERIFIED_BYTES} bytes.` });
    if (!bytes.subarray(0, HEADER_BYTES).includes('%PDF-'))
      throw CommonErrors.validationFailed({ param: 'file', message: 'file must be a PDF' });
    if (this.limit.pendingCount >= MOST_WAITING)
      throw CommonErrors.unavailable({
        message: 'Many files are being verified. Try again in a minute.',
        headers: { 'Retry-After': '60' },
      });
    return this.limit(async () => {
      const read = await this.typesetter.signatures(bytes);
      const [whole, ...earlier] = revisionsOf(bytes);
      const found = await this.known([whole, ...earlier]);
      const [signatures, problem] = 'problem' in read ? [[], `The file ${read.problem}.`] : [read, null];
      return {
        object: 'verification',
        sha256: whole.sha256,
        bytes: bytes.length,
        verdict: verdictOf(found?.row ?? null, whole, read),
        document: found && (await this.documentOf(found.ctx, found.row)),
        problem,
        signatures: shownSignatures(signatures, found?.row ?? null, [whole, ...earlier]),
      };
    });
  }

  /** The newest revision of the file that the suite made. */
  private async known(revisions: readonly FileRevision[]): Promise<{ ctx: Ctx; row: RenditionRow } | null> {
    const hashes = revisions.map(({ sha256 }) => sha256);
    const row = await this.contexts.findAcrossTenants<RenditionRow>(byHash(hashes));
    if (!row) return null;
    const { organization_id: organizationId, project_id: projectId, mode } = row;
    return { ctx: this.contexts.guest({ organizationId, projectId, mode }, null), row };
  }

  private async documentOf(ctx: Ctx, row: RenditionRow): Promise<Known> {
    const { document_id, revision, kind } = row;
    const document = await this.store.get(ctx, Document, document_id);
    const { organization } = await this.looks.of(ctx, document);
    const isExecuted = kind !== 'final';
    const signers = isExecuted ? signersOf(await this.store.list(ctx, SignatureParty, { document_id, revision })) : [];
    return {
      organization,
      number: document.number,
      file: await this.placeOf(ctx, document, row),
      is_executed: isExecuted,
      completed_at: isExecuted ? (signers.at(-1)?.signed_at?.toISOString() ?? null) : null,
      state: document.state,
      is_test: document.mode === 'test',
      parties: signers.map(({ label, name, email, signed_at }) => ({
        label,
        name,
        email: masked(email),
        signed_at: (signed_at as Date).toISOString(),
      })),
      ...(isExecuted ? await this.evidenceOf(ctx, document, revision, signers) : { evidence: 'none', evidence_chain: [] }),
    };
  }

  /** Where the file stands among several of its document. */
  private async placeOf(ctx: Ctx, { title }: Document, { document_id, revision, position, name }: RenditionRow): Promise<Known['file']> {
    const [{ of }] = await this.store.reader(ctx).sql<{ of: number }>(sql`
      SELECT max(r.position) AS of FROM ${table(Rendition)} r
      WHERE ${own('r')} AND r.document_id = ${document_id} AND r.revision = ${revision}`);
    return of === 1 ? null : { title, name: name ?? title, position, of };
  }

  /** Whether the stored facts still give the hashes of the evidence, and the frozen files their own. */
  private async evidenceOf(
    ctx: Ctx,
    { id, erased_at }: Document,
    revision: number,
    signers: readonly SignatureParty[],
  ): Promise<Pick<Known, 'evidence' | 'evidence_chain'>> {
    const isErased = erased_at !== null;
    const finals = await this.store.list(ctx, Rendition, { document_id: id, revision, kind: 'final' });
    finals.sort((one, other) => one.position - other.position);
    const content = contentHash(finals.map(({ sha256 }) => sha256));
    let areSame = !isErased;
    for (const final of isErased ? [] : finals) areSame &&= final.sha256 === (await this.hashOf(ctx, final));
    const evidence_chain: Known['evidence_chain'] = [{ label: null, sha256: content, is_intact: isErased ? null : areSame }];
    for (const [index, party] of signers.entries()) {
      const sha256 = party.evidence_sha256 as string;
      evidence_chain.push({
        label: party.label,
        sha256,
        is_intact: isErased ? null : sha256 === evidenceOf(content, signers.slice(0, index), party),
      });
    }
    const evidence = isErased ? 'erased' : evidence_chain.every(({ is_intact }) => is_intact) ? 'intact' : 'broken';
    return { evidence, evidence_chain };
  }

  private async hashOf(ctx: Ctx, rendition: Rendition): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of await this.files.stream(ctx, rendition, 'pdf')) hash.update(piece as Buffer);
    return hash.digest('hex');
  }
}

function verdictOf(
  known: RenditionRow | null,
  whole: FileRevision,
  signatures: readonly ReadSignature[] | PdfProblem,
): VerificationDto['verdict'] {
  if (known !== null) return known.sha256 === whole.sha256 ? 'unchanged' : 'changed';
  if ('problem' in signatures) return 'unreadable';
  return signatures.some(({ is_intact }) => is_intact === false) ? 'altered' : 'unknown';
}

/** Our seal is the last signature in a file that we know: proofs of its validity may stand behind it. */
function shownSignatures(
  signatures: readonly ReadSignature[],
  known: RenditionRow | null,
  revisions: readonly FileRevision[],
): VerificationDto['signatures'] {
  const end = known !== null && known.kind !== 'final' ? (revisions.find(({ sha256 }) => sha256 === known.sha256)?.bytes ?? 0) : 0;
  const seal = signatures.findLast((one) => one.kind === 'signature' && one.end <= end);
  return signatures.map((signature) => {
    const { end: _, ...shown } = signature;
    const is_own_seal = signature === seal;
    const isOurs = is_own_seal && end === revisions[0].bytes;
    return { ...shown, is_own_seal, later_changes: shown.covers_file ? 'none' : isOurs ? 'proofs' : 'other' };
  });
}

interface RenditionRow extends Omit<TokenRow, 'email'> {
  document_id: string;
  revision: number;
  kind: Rendition['kind'];
  sha256: string;
  position: number;
  name: string | null;
}

/**
 * Who has a file that was made here was sent it. A file that is to be signed as it was uploaded proves nothing, because others can have it,
 * too: it is not found, so that nobody learns who sends it.
 */
const byHash = (hashes: readonly string[]) => sql.unscoped('the file of a document that a visitor has')`
  SELECT r.id, r.organization_id, r.project_id, r.mode, r.document_id, r.revision, r.kind, r.sha256, r.position, r.name
  FROM ${table(Rendition)} r
  JOIN ${table(Document)} d ON d.organization_id = r.organization_id AND d.id = r.document_id
  WHERE r.sha256 = ANY(${[...hashes]})
    AND (r.kind <> 'final' OR d.erased_at IS NULL
      AND NOT EXISTS (SELECT FROM ${table(DocumentFile)} f
                      WHERE f.organization_id = r.organization_id AND f.document_id = r.document_id AND f.sha256 = r.sha256)
      AND NOT EXISTS (SELECT FROM ${table(DocumentTypeFile)} t
                      WHERE t.organization_id = d.organization_id AND t.type_id = d.type_id AND t.sha256 = r.sha256))
  ORDER BY array_position(${[...hashes]}::text[], r.sha256), r.kind, r.id LIMIT 1`;

/** The first letter and the domain. */
function masked(email: string): string {
  return email.replace(/^(.)[^@]*/u, '$1***');
}
