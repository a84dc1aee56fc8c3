import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FormProblem, Tx } from '../../../../../kit/index.js';
import { fillIn, type Filling } from '../../../model/placed/fill-in.js';
import { printedValue } from '../../../model/placed/placed-values.js';
import type { PlacedField } from '../../../model/core/placed-fields.js';
import { placedTextsIn } from '../../../pages/texts/placed-texts.js';
import type { Look } from '../../../settings/document-looks.service.js';
import { printProblems } from '../../../engine/pdf/printable-content.js';
import { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import { faultText } from './field-states.js';
import { inputId } from './placed-inputs.js';

/** The final pages with the fields on them. */
export interface FieldedFile extends Pick<Filling, 'fields' | 'earlier'> {
  pdf: Buffer;
  /** Of the PDF. */
  sha256: string;
}

/** Reads what a party enters into fields. Each value must be readable in its box, because it is signed as it is printed. */
@Injectable()
export class EnteredValues {
  constructor(private readonly typesetter: PdfTypesetter) {}

  async read(
    tx: Tx,
    { pdf, sha256, fields, earlier }: FieldedFile,
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
      return print && !print.isMark ? [{ field, text: print.text, ...print.place }] : [];
    });
    const unprintable = await printProblems(
      tx,
      printed.map(({ text }) => text),
    );
    problems.push(...printed.flatMap(({ field }, at) => (unprintable[at] === null ? [] : [problemOf(field, texts.unprintable, look)])));
    const fitted = printed.filter((_, at) => unprintable[at] === null);
    if (fitted.length === 0) return { values, problems };
    const boxes = fitted.map(({ page, x, y, w, h, text }) => ({ page, x, y, w, h, text }));
    const key = `fit ${sha256} ${look.language} ${hash('sha256', JSON.stringify(boxes))}`;
    const unfitting = await tx.advanced.prepared(key, () => this.typesetter.unfitting({ pdf, texts: boxes, language: look.language }));
    return { values, problems: [...problems, ...unfitting.map((at) => problemOf(fitted[at].field, texts.unfitting, look))] };
  }
}

function problemOf(field: PlacedField, text: string, { texts }: Look): FormProblem {
  return { field: inputId(field), text: `${field.label}${texts.colon} ${text}` };
}
