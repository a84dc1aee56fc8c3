import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { CommonErrors, DomainError, Files, Projects, Settings, type Ctx, type Tx } from '../../../../../kit/index.js';
import { DocumentSeal } from '../../../engine/sealing/document-seal.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import type { Document } from '../../../model/records/document.entity.js';
import type { CertificateInput, CertifiedFile } from '../../../engine/certificate/certificate.js';
import { contentHash } from '../../../engine/certificate/certificate-evidence.js';
import { certificateTexts } from '../../../engine/certificate/certificate-texts.js';
import type { Stamp } from '../../../engine/stamping/stamp-pdf.js';
import type { ExecutedInput } from '../../../engine/typesetting/pdf-worker.js';
import { historyOf } from './history.js';
import { LongTermSeal } from './long-term-seal.js';
import { Rendition } from '../../../model/records/rendition.entity.js';
import { TypeVersions } from '../../../model/types/type-versions.js';
import { DocumentFile } from '../../../model/records/document-file.entity.js';
import { executedHtml } from '../../../engine/content/executed-html.js';
import { FileFault } from '../../../engine/reading/file-fault.js';
import { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import { enteredBy, pageSigners, stampsOf } from '../../content/party-stamps.js';
import { factsOf } from './party-evidence.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import type { MailSubject } from '../../deliveries/document-mails.js';

const RETRY_AFTER_S = 60;

type FileOfFinal = Pick<DocumentFile, 'fields' | 'earlier_signatures'>;

interface FinalFile extends FileOfFinal {
  final: Rendition;
  name: string;
  isUploaded: boolean;
}

interface StampedFile extends FinalFile {
  stamps: Stamp[];
}

interface SealedInput extends Pick<ExecutedInput, 'seal'> {
  certificate: CertificateInput;
  /** Of the stamps. */
  language: string;
}

/**
 * Makes the executed file: the frozen pages, the certificate of the signatures, and a seal over both. Each of several files is sealed on
 * its own, so that signatures which it already had stay valid, and so is the certificate, which names them all.
 */
@Injectable()
export class Execution {
  private readonly logger = new Logger(Execution.name);

  constructor(
    private readonly files: Files,
    private readonly versions: TypeVersions,
    private readonly projects: Projects,
    private readonly settings: Settings,
    private readonly documentSeal: DocumentSeal,
    private readonly sealing: LongTermSeal,
    private readonly typesetter: PdfTypesetter,
  ) {}

  /** Stores the files and returns the changes to the document. `signers` are in the order in which they signed. */
  async execute(ctx: Ctx, tx: Tx, { document, look }: MailSubject, signers: readonly SignatureParty[]): Promise<Partial<Document>> {
    const { id, number, title, project_id, revision, mode } = document;
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    // pages and certificates have fewer languages than documents
    const language = definition.language ?? look.language;
    const { timezone } = await this.projects.get(ctx, project_id);
    const last = signers.at(-1) as SignatureParty;
    const executed_at = last.signed_at as Date;
    const finals = await this.finals(tx, document);
    const fields = finals.flatMap(({ final, fields: own }) => own.map((field) => ({ ...field, position: final.position })));
    const printing = { texts: look.texts, language, timeZone: timezone };
    const files = finals.map((one) => ({ ...one, stamps: stampsOf(fields, signers, printing, one.final.position) }));
    const input: SealedInput = {
      language,
      certificate: {
        document: { id, number, title },
        organization: look.organization,
        content_sha256: contentHash(finals.map(({ final }) => final.sha256)),
        executed_at: executed_at.toISOString(),
        language: look.language,
        hasTimeStamp: this.sealing.hasTimeStamp(mode),
        watermark: mode === 'test' ? 'TEST' : undefined,
        history: await historyOf(tx, document, signers),
        parties: signers.map((party) => ({
          ...factsOf(party),
          entries: enteredBy(fields, party, language),
          evidence_sha256: party.evidence_sha256 as string,
        })),
      },
      seal: {
        ...this.documentSeal.key,
        reason: 'Signed by all parties',
        location: this.settings.baseUrl,
        name: look.organization,
        signingTime: executed_at,
      },
    };
    // The last evidence hash covers the frozen files and all facts of all signatures.
    const key = `executed ${id} ${last.evidence_sha256} ${hash('sha256', JSON.stringify(files.map(({ stamps }) => stamps)))}`;
    const { executed, certificate } = await tx.advanced.prepared(key, () => this.sealed(ctx, id, files, input));
    const base = { project_id, document_id: id, revision };
    const pageSignersOf = (position: number) =>
      pageSigners(
        fields.filter((field) => field.position === position),
        signers,
        printing,
      );
    for (const [index, { final }] of finals.entries()) {
      const { position, file_id, name } = final;
      const html = executedHtml(final.html, pageSignersOf(position));
      await this.insert(tx, { ...base, kind: 'executed', position, file_id, name, html }, executed[index]);
    }
    if (certificate) {
      const name = certificateTexts(look.language).texts.heading;
      await this.insert(tx, { ...base, kind: 'certificate', position: finals.length + 1, name, html: '' }, certificate);
    }
    return {
      executed_at,
      valid_until_on: definition.validity_months === null ? null : lastDay(executed_at, timezone, definition.validity_months),
    };
  }

  private async insert(tx: Tx, rendition: Partial<Rendition>, pdf: Buffer): Promise<void> {
    const kept = await this.files.keep(tx, Rendition, 'pdf', pdf);
    await tx.insert(Rendition, { ...rendition, sha256: hash('sha256', pdf), ...kept });
  }

  /** The frozen files in their order, with what stands on them and the name that the certificate gives them. */
  private async finals(tx: Tx, { id, revision, title, files }: Document): Promise<FinalFile[]> {
    const finals = await tx.list(Rendition, { document_id: id, revision, kind: 'final' });
    const uploaded = new Map<string | null, FileOfFinal>();
    for (const { is_main, ...file } of await tx.list(DocumentFile, { document_id: id }))
      uploaded.set(is_main ? null : file.id, { fields: file.fields, earlier_signatures: file.earlier_signatures });
    return finals
      .sort((one, other) => one.position - other.position)
      .map((final) => {
        const file = uploaded.get(final.file_id);
        const own = final.position === 1 && file ? file.fields : final.fields;
        const name = files.find((one) => one.id === final.file_id)?.name ?? title;
        return { final, name, fields: own, earlier_signatures: file?.earlier_signatures ?? [], isUploaded: file !== undefined };
      });
  }

  private async sealed(
    ctx: Ctx,
    id: string,
    files: readonly StampedFile[],
    input: SealedInput,
  ): Promise<{ executed: Buffer[]; certificate?: Buffer }> {
    try {
      const { certificate, seal, language } = input;
      const { hasTimeStamp } = certificate;
      if (files.length === 1) {
        const [file] = files;
        const pdf = await this.files.read(ctx, file.final, 'pdf');
        const own = { ...certificate, content_bytes: pdf.length, earlier_signatures: file.earlier_signatures };
        const final = { pdf, stamps: file.stamps, language };
        return { executed: [await this.sealing.executed({ final, certificate: own, seal, hasTimeStamp })] };
      }
      const executed: Buffer[] = [];
      const certified: CertifiedFile[] = [];
      for (const file of files) {
        const pdf = await this.files.read(ctx, file.final, 'pdf');
        const { sha256 } = file.final;
        const signed = await this.sealing.executed({ final: { pdf, stamps: file.stamps, language }, seal, hasTimeStamp });
        executed.push(signed);
        certified.push({
          name: file.name,
          pages: await this.typesetter.pageCount(pdf),
          sent: { sha256, bytes: pdf.length },
          signed_sha256: hash('sha256', signed),
          earlier_signatures: file.earlier_signatures,
        });
      }
      return {
        executed,
        certificate: await this.sealing.executed({ certificate: { ...certificate, files: certified }, seal, hasTimeStamp }),
      };
    } catch (error) {
      if (error instanceof DomainError) throw error;
      this.logger.error(`The document ${id} could not be sealed: ${(error as Error).message}`, (error as Error).stack);
      // the service's own pages are no reason to ask for another file
      if (error instanceof FileFault && files.some(({ isUploaded }) => isUploaded)) throw DocumentErrors.cannotBeSealed();
      throw CommonErrors.unavailable({
        message: 'The document could not be sealed because of an internal error, so nothing was signed. Try again in a minute.',
        headers: { 'Retry-After': String(RETRY_AFTER_S) },
      });
    }
  }
}

/** The last day of a period of `months` that begins on the day of `begin`. In a shorter month it is the last day of that month. */
export function lastDay(begin: Date, timeZone: string, months: number): string {
  const first = Temporal.Instant.fromEpochMilliseconds(begin.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const end = first.add({ months });
  return (end.day === first.day ? end.subtract({ days: 1 }) : end).toString();
}
