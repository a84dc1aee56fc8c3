import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { CommonErrors, DomainError, Projects, Settings, type Ctx, type Tx } from '../../../../../kit/index.js';
import { DocumentSeal } from '../../../engine/sealing/document-seal.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import type { Document } from '../../../model/records/document.entity.js';
import { historyOf } from './history.js';
import { LongTermSeal } from './long-term-seal.js';
import { Rendition } from '../../../model/records/rendition.entity.js';
import { TypeVersions } from '../../../model/types/type-versions.js';
import { DocumentFile } from '../../../model/records/document-file.entity.js';
import { executedHtml } from '../../../engine/content/executed-html.js';
import { FileFault } from '../../../engine/reading/file-fault.js';
import { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import { pageSigners, stampsOf } from '../../content/party-stamps.js';
import { factsOf } from './party-evidence.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import type { MailSubject } from '../../deliveries/document-mails.js';

const RETRY_AFTER_S = 60;

/** Makes the executed file: the frozen pages, the certificate of the signatures, and a seal over both. */
@Injectable()
export class Execution {
  private readonly logger = new Logger(Execution.name);

  constructor(
    private readonly versions: TypeVersions,
    private readonly projects: Projects,
    private readonly settings: Settings,
    private readonly documentSeal: DocumentSeal,
    private readonly sealing: LongTermSeal,
    private readonly typesetter: PdfTypesetter,
  ) {}

  /** Stores the file and returns the changes to the document. `signers` are in the order in which they signed. */
  async execute(ctx: Ctx, tx: Tx, { document, look }: MailSubject, signers: readonly SignatureParty[]): Promise<Partial<Document>> {
    const { id, number, title, project_id, revision, mode } = document;
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    // pages and certificates have fewer languages than documents
    const language = definition.language ?? look.language;
    const [file] = (await tx.list(DocumentFile, { document_id: id })) as (DocumentFile | undefined)[];
    const [final] = await tx.list(Rendition, { document_id: id, revision, kind: 'final' });
    const executed_at = (signers.at(-1) as SignatureParty).signed_at as Date;
    const last = signers.at(-1) as SignatureParty;
    const hasTimeStamp = this.sealing.hasTimeStamp(mode);
    const certificate = {
      document: { id, number, title },
      content_sha256: final.sha256,
      content_bytes: final.pdf.length,
      executed_at: executed_at.toISOString(),
      language: look.language,
      hasTimeStamp,
      watermark: mode === 'test' ? ('TEST' as const) : undefined,
      earlier_signatures: file?.earlier_signatures,
      history: await historyOf(tx, document, signers),
      parties: signers.map((party) => ({ ...factsOf(party), evidence_sha256: party.evidence_sha256 as string })),
    };
    const { p12, passphrase } = this.documentSeal.key;
    const seal = {
      p12,
      passphrase,
      reason: 'Signed by all parties',
      location: this.settings.baseUrl,
      name: look.organization,
      signingTime: executed_at,
    };
    // The last evidence hash covers the frozen document and all facts of all signatures.
    const { timezone } = await this.projects.get(ctx, project_id);
    const fields = file?.fields ?? final.fields;
    const printing = { texts: look.texts, language, timeZone: timezone };
    const stamps = stampsOf(fields, signers, printing);
    const signed = stamps.map(({ page, x, y, w, h }) => ({ page, x, y, w, h }));
    const key = `executed ${id} ${last.evidence_sha256} ${hash('sha256', JSON.stringify(stamps))}`;
    const executed = await tx.advanced.prepared(key, async () => {
      try {
        const pages = stamps.length > 0 ? await this.typesetter.stamp({ pdf: final.pdf, stamps, language }) : final.pdf;
        const pdf = await this.sealing.executed({ final: pages, certificate, seal, hasTimeStamp, signed });
        return { pdf, sha256: hash('sha256', pdf) };
      } catch (error) {
        if (error instanceof DomainError) throw error;
        this.logger.error(`The document ${id} could not be sealed: ${(error as Error).message}`, (error as Error).stack);
        // the service's own pages are no reason to ask for another file
        if (error instanceof FileFault && file) throw DocumentErrors.cannotBeSealed();
        throw CommonErrors.unavailable({
          message: 'The document could not be sealed because of an internal error, so nothing was signed. Try again in a minute.',
          headers: { 'Retry-After': String(RETRY_AFTER_S) },
        });
      }
    });
    await tx.insert(Rendition, {
      project_id,
      document_id: id,
      revision,
      kind: 'executed',
      ...executed,
      html: executedHtml(final.html, pageSigners(fields, signers, printing)),
    });
    return {
      executed_at,
      valid_until_on: definition.validity_months === null ? null : lastDay(executed_at, timezone, definition.validity_months),
    };
  }
}

/** The last day of a period of `months` that begins on the day of `begin`. In a shorter month it is the last day of that month. */
export function lastDay(begin: Date, timeZone: string, months: number): string {
  const first = Temporal.Instant.fromEpochMilliseconds(begin.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const end = first.add({ months });
  return (end.day === first.day ? end.subtract({ days: 1 }) : end).toString();
}
