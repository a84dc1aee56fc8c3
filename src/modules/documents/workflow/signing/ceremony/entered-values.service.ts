import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Files, type Ctx, type FormProblem, type Tx } from '../../../../../kit/index.js';
import { fillIn, type Filling } from '../../../model/placed/fill-in.js';
import { printedValue } from '../../../model/placed/placed-values.js';
import type { FieldInFile, PlacedField } from '../../../model/core/placed-fields.js';
import type { Rendition } from '../../../model/records/rendition.entity.js';
import { placedTextsIn } from '../../../pages/texts/placed-texts.js';
import type { Look } from '../../../settings/document-looks.service.js';
import { printProblems } from '../../../engine/pdf/printable-content.js';
import { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import { faultText } from './field-states.js';
import { inputId } from './placed-inputs.js';

/** The final files with the fields on them. */
export interface FieldedFiles extends Pick<Filling, 'earlier'> {
  files: readonly Pick<Rendition, 'position' | 'pdf' | 'pdf_object_id' | 'sha256'>[];
  fields: readonly FieldInFile[];
}

/** Reads what a party enters into fields. Each value must be readable in its box, because it is signed as it is printed. */
@Injectable()
export class EnteredValues {
  constructor(
    private readonly files: Files,
    private readonly typesetter: PdfTypesetter,
  ) {}

  async read(
    ctx: Ctx,
    tx: Tx,
    { files, fields, earlier }: FieldedFiles,
    party: string,
    given: Record<string, unknown>,
    look: Look,
  ): Promise<{ values: Record<string, string>; problems: FormProblem[] }> {
    const { values, faults } = fillIn({ fields, party, given, earlier, language: look.language });
    const problems = faults.map(({ field, fault }) => problemOf(field, faultText(field, fault, look.language), look));
    const texts = placedTextsIn(look.language);
    const filled = fields.filter(({ key, party: owner }) => owner === party && Object.hasOwn(values, key));
    const printed = filled.flatMap((field) => {
      const print = printedValue(field, values[field.key], look.language);
      return print && !print.isMark ? [{ field, print }] : [];
    });
    const unprintable = await printProblems(
      tx,
      printed.map(({ print }) => print.text),
    );
    problems.push(...printed.flatMap(({ field }, at) => (unprintable[at] === null ? [] : [problemOf(field, texts.unprintable, look)])));
    const fitted = printed.filter((_, at) => unprintable[at] === null);
    if (fitted.length === 0) return { values, problems };
    const boxes = fitted.map(({ field: { position }, print: { place, text, isMultiline, room } }, at) => ({
      position,
      at,
      ...place,
      text,
      isMultiline,
      ...room,
    }));
    const hashes = files.map(({ sha256 }) => sha256);
    const key = `fit ${look.language} ${hash('sha256', JSON.stringify([hashes, boxes]))}`;
    // all files in one step, as a change may have only a few
    const unfitting = await tx.advanced.prepared(key, async () => {
      const found = files.map(async ({ position, ...file }) => {
        const texts = boxes.filter((box) => box.position === position);
        if (texts.length === 0) return [];
        const pdf = await this.files.read(ctx, file, 'pdf');
        return (await this.typesetter.unfitting({ pdf, texts, language: look.language })).map((index) => texts[index].at);
      });
      return (await Promise.all(found)).flat();
    });
    return { values, problems: [...problems, ...unfitting.map((at) => problemOf(fitted[at].field, texts.unfitting, look))] };
  }
}

function problemOf(field: PlacedField, text: string, { texts }: Look): FormProblem {
  return { field: inputId(field), text: `${field.label}${texts.colon} ${text}` };
}
