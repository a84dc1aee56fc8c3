import { Injectable } from '@nestjs/common';
import { CommonErrors, Files, type Ctx } from '../../../../kit/index.js';
import type { DocumentContent } from '../../engine/content/document-content.js';
import { fieldText } from '../../engine/content/field-text.js';
import { FileFault } from '../../engine/reading/file-fault.js';
import type { Stamp } from '../../engine/stamping/stamp-pdf.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import { valueAt } from '../../model/core/data-values.js';
import { fieldAt, labelOf, type ScalarField } from '../../model/core/field-schema.js';
import { lookOf, MARK } from '../../model/placed/placed-values.js';
import type { DocumentFile } from '../../model/records/document-file.entity.js';

type File = Pick<DocumentFile, 'pdf' | 'pdf_object_id' | 'page_texts' | 'fields' | 'values'>;

/** Files with the values of their documents. */
@Injectable()
export class FilledFiles {
  constructor(
    private readonly files: Files,
    private readonly typesetter: PdfTypesetter,
  ) {}

  /** As the parties see and sign it: with its form fields as part of the pages. Rejects values that cannot be read in their places. */
  async final(ctx: Ctx, file: File, content: DocumentContent): Promise<Buffer> {
    const pdf = await this.files.read(ctx, file, 'pdf');
    await this.requireFitting(pdf, file, content);
    return this.printed(pdf, file, content);
  }

  /** What can be shown of it, whatever its values are. */
  async draft(ctx: Ctx, file: File, content: DocumentContent): Promise<Buffer> {
    const pdf = await this.files.read(ctx, file, 'pdf');
    return file.values.length === 0 ? pdf : this.printed(pdf, file, content);
  }

  async requireReadable(ctx: Ctx, file: File, content: DocumentContent): Promise<void> {
    await this.requireFitting(await this.files.read(ctx, file, 'pdf'), file, content);
  }

  private async requireFitting(pdf: Buffer, file: File, content: DocumentContent): Promise<void> {
    const texts = stampsOf(file, content).filter(({ isMark }) => !isMark);
    if (texts.length === 0) return;
    const [first] = await this.typesetter.unfitting({ pdf, texts, language: content.language });
    if (first === undefined) return;
    const param = `data_values.${texts[first].data_field}`;
    throw CommonErrors.validationFailed({ param, message: `${param} is too long to be readable in its place on the file; shorten it` });
  }

  private async printed(pdf: Buffer, file: File, content: DocumentContent): Promise<Buffer> {
    const { fields, values } = file;
    const { language } = content;
    const stamps = stampsOf(file, content);
    const cleared = [...fields, ...values].flatMap(({ form_field }) => form_field ?? []);
    try {
      const flat = await this.typesetter.flattened({ pdf, cleared, language });
      return stamps.length === 0 ? flat : await this.typesetter.stamp({ pdf: flat, stamps, language });
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      throw CommonErrors.validationFailed({
        param: 'file',
        message: 'The form fields or values of the file cannot be printed; upload another file.',
      });
    }
  }
}

interface ValueStamp extends Stamp {
  data_field: string;
}

function stampsOf({ values }: File, content: DocumentContent): ValueStamp[] {
  return values.flatMap((value): ValueStamp[] => {
    const { data_field, page, x, y, w, h, multiline: isMultiline } = value;
    const text = textOf(data_field, content);
    const isMark = valueAt(content.values, data_field) === true;
    if (text === null || (typeof valueAt(content.values, data_field) === 'boolean' && !isMark)) return [];
    const printed = { text: isMark ? MARK : text, isMark, isMultiline, ...lookOf(value) };
    return [{ data_field, page, x, y, w, h, ...printed, isSignature: false, png: null }];
  });
}

function textOf(path: string, { schema, values, language, timeZone, layout }: DocumentContent): string | null {
  const property = fieldAt(schema, path) as ScalarField | null;
  const parent = path.includes('.') ? valueAt(values, path.slice(0, path.lastIndexOf('.'))) : values;
  return (
    property &&
    fieldText(property, valueAt(values, path), parent as Record<string, unknown>, { language, timeZone, currency: layout?.currency })
  );
}

/** The lines of each page, with the values that are printed there. */
export function filledTexts({ page_texts, values }: File, content: DocumentContent): string[][] {
  return page_texts.map((lines, index) => [
    ...lines,
    ...values.flatMap(({ page, data_field }) => {
      const text = page === index + 1 ? textOf(data_field, content) : null;
      return text === null ? [] : [`${labelOf(data_field, fieldAt(content.schema, data_field) as ScalarField)}: ${text}`];
    }),
  ]);
}
