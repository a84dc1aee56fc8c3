import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { CommonErrors, Contexts, own, sql, Store, table, type Ctx, type TokenRow, type Upload } from '../../../../kit/index.js';
import { revisionsOf, type FileRevision } from '../../engine/signatures/revisions.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import { Document } from '../../model/records/document.entity.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import { SignatureParty, signersOf } from '../../model/records/signature-party.entity.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
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
    private readonly looks: DocumentLooks,
    private readonly typesetter: PdfTypesetter,
  ) {}

  async verify({ bytes, isTooLarge }: Upload): Promise<VerificationDto> {
    if (isTooLarge || bytes.length > MOST_VERIFIED_BYTES) throw CommonErrors.payloadTooLarge({ param: 'file' });
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
      return {
        object: 'verification',
        sha256: whole.sha256,
        bytes: bytes.length,
        verdict: found === null ? 'unknown' : found.row.sha256 === whole.sha256 ? 'unchanged' : 'changed',
        document: found && (await this.documentOf(found.ctx, found.row)),
        // a file that cannot be read has no signatures that could be checked
        signatures: 'problem' in read ? [] : read,
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

  private async documentOf(ctx: Ctx, { document_id, revision, kind }: RenditionRow): Promise<Known> {
    const document = await this.store.get(ctx, Document, document_id);
    const { organization } = await this.looks.of(ctx, document);
    const isExecuted = kind === 'executed';
    const signers = isExecuted ? signersOf(await this.store.list(ctx, SignatureParty, { document_id, revision })) : [];
    return {
      organization,
      number: document.number,
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
      evidence: isExecuted ? await this.evidenceOf(ctx, document, revision, signers) : 'none',
    };
  }

  /** Whether the stored facts still give the hashes of the evidence, and the frozen file its own. */
  private async evidenceOf(
    ctx: Ctx,
    { id, erased_at }: Document,
    revision: number,
    signers: readonly SignatureParty[],
  ): Promise<Known['evidence']> {
    if (erased_at !== null) return 'erased';
    const [final] = await this.store.reader(ctx).sql<{ sha256: string; actual: string }>(sql`
      SELECT r.sha256, encode(sha256(r.pdf), 'hex') AS actual FROM ${table(Rendition)} r
      WHERE ${own('r')} AND r.document_id = ${id} AND r.revision = ${revision} AND r.kind = 'final'`);
    const isChained = signers.every((party, index) => party.evidence_sha256 === evidenceOf(final.sha256, signers.slice(0, index), party));
    return isChained && final.sha256 === final.actual ? 'intact' : 'broken';
  }
}

interface RenditionRow extends Omit<TokenRow, 'email'> {
  document_id: string;
  revision: number;
  kind: Rendition['kind'];
  sha256: string;
}

const byHash = (hashes: readonly string[]) => sql.unscoped('the file of a document that a visitor has')`
  SELECT r.id, r.organization_id, r.project_id, r.mode, r.document_id, r.revision, r.kind, r.sha256 FROM ${table(Rendition)} r
  WHERE r.sha256 = ANY(${[...hashes]}) ORDER BY array_position(${[...hashes]}::text[], r.sha256), r.kind, r.id LIMIT 1`;

/** The first letter and the domain. */
function masked(email: string): string {
  return email.replace(/^(.)[^@]*/u, '$1***');
}
