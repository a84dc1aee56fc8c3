import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { CommonErrors, DomainError, Store, type Ctx, type Upload } from '../../../../kit/index.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import type { ZoneExtractionDto } from '../../types/zones/zone-extraction.dto.js';
import { ZoneExtraction } from '../../types/zones/zone-extraction.service.js';
import { Zones } from '../../types/zones/zones.service.js';
import { prefillOf, type Prefill } from './form-prefill.js';
import type { IntakeForm } from './intake-form.entity.js';
import { formTexts } from './texts/texts.js';

export const MOST_FILE_BYTES = 10 * 1024 * 1024;
/** The visitors' files that one process reads at once, and that may wait. One thread of the pool is left for members. */
const AT_ONCE = 1;
const MOST_WAITING = 4;
/** Readers look for the header of a PDF in its first kilobyte. */
const HEADER_BYTES = 1024;

/** Why a file cannot be used. `isBusy`: the server is busy, and the file may be valid. */
export interface UploadProblem {
  status: number;
  text: string;
  isBusy?: boolean;
}

type Settings = Pick<IntakeForm, 'document_type_id' | 'fields'> & { project_id: string | null };

/** Fills in forms from PDFs that visitors upload. The files are not stored. */
@Injectable()
export class FormUploads {
  private readonly limit = pLimit(AT_ONCE);

  constructor(
    private readonly store: Store,
    private readonly zones: Zones,
    private readonly extraction: ZoneExtraction,
  ) {}

  /** Rejects a type whose zones could fill in none of the form's fields. */
  async check(ctx: Ctx, { document_type_id: id, fields, project_id }: Settings): Promise<void> {
    if (id === null) return;
    const invalid = (message: string) =>
      CommonErrors.validationFailed({ param: 'document_type_id', message: `document_type_id ${message}` });
    const type = await this.store.find(ctx, DocumentType, id);
    if (!type) throw invalid('does not exist');
    if (type.project_id !== null && type.project_id !== project_id)
      throw invalid('is a type of one project; the form must belong to that project too');
    const { zones } = await this.zones.of(ctx, id);
    if (zones.length === 0) throw invalid('is a type without zones; set them with replace_org_document_type_zones');
    if (!zones.some(({ field }) => Object.hasOwn(fields.properties, field.split('.')[0])))
      throw invalid("is a type whose zones have none of the form's fields; give the fields the same names");
  }

  /** Reads the file outside of any transaction. */
  async read(
    ctx: Ctx,
    { fields, language }: IntakeForm,
    typeId: string,
    { bytes, isTooLarge }: Upload,
    timeZone: string,
  ): Promise<Prefill | UploadProblem> {
    const texts = formTexts(language);
    const { upload } = texts;
    if (isTooLarge || bytes.length > MOST_FILE_BYTES) return { status: CommonErrors.payloadTooLarge.spec.status, text: upload.tooLarge };
    if (bytes.length === 0) return problem(upload.none);
    if (!bytes.subarray(0, HEADER_BYTES).includes('%PDF-')) return problem(upload.noPdf);
    if (this.limit.pendingCount >= MOST_WAITING) return busy(upload.busy);
    try {
      const [schema, extracted] = await this.limit(async () => [
        await this.extraction.schema(ctx, typeId),
        await this.extraction.extract(ctx, typeId, bytes),
      ]);
      if (isEmpty(extracted)) return problem(upload.noText);
      return prefillOf(fields, schema, extracted, { language, timeZone });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { spec, occurrence } = error;
      if (spec.code === CommonErrors.unavailable.spec.code) return busy(upload.busy);
      if (spec.code !== CommonErrors.validationFailed.spec.code) throw error;
      if (occurrence.param === 'file') return problem(upload.unreadable(error.message.replace(/^The/, 'the').replace(/\.$/, '')));
      return problem(upload.unable);
    }
  }
}

/** Neither text nor a ticked box. */
function isEmpty({ zones, data_values }: ZoneExtractionDto): boolean {
  return zones.every(({ text }) => text === null) && !Object.values(data_values).includes(true);
}

function problem(text: string): UploadProblem {
  return { status: CommonErrors.validationFailed.spec.status, text };
}

function busy(text: string): UploadProblem {
  return { status: CommonErrors.unavailable.spec.status, text, isBusy: true };
}
