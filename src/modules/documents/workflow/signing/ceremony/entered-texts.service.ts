import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FormProblem, Tx } from '../../../../../kit/index.js';
import type { DocumentFile } from '../../../model/records/document-file.entity.js';
import type { Look } from '../../../settings/document-looks.service.js';
import { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import { inputId, readPlacedValues, textsOf } from '../execution/placed-values.js';

/** Reads the texts that a party enters into boxes on a file. Each must be readable in its box, because it is signed as it is printed. */
@Injectable()
export class EnteredTexts {
  constructor(private readonly typesetter: PdfTypesetter) {}

  async read(
    tx: Tx,
    file: DocumentFile | undefined,
    party: string,
    given: Record<string, unknown>,
    { texts, language }: Look,
  ): Promise<{ values: Record<string, string>; problems: FormProblem[] }> {
    if (!file) return { values: {}, problems: [] };
    const { values, problems } = await readPlacedValues(tx, file.fields, party, given, texts);
    const entered = textsOf(file.fields, party).filter(({ key }) => Object.hasOwn(values, key));
    if (entered.length === 0) return { values, problems };
    const boxes = entered.map(({ key, page, x, y, w, h }) => ({ page, x, y, w, h, text: values[key] }));
    const key = `fit ${file.sha256} ${language} ${hash('sha256', JSON.stringify(boxes))}`;
    const tooLong = await tx.advanced.prepared(key, () => this.typesetter.unfitting({ pdf: file.pdf, texts: boxes, language }));
    const misfits = tooLong.map((index): FormProblem => {
      const { key: field, label } = entered[index];
      return { field: inputId(field), text: `${label}${texts.colon} ${texts.problems.fieldTooLong}` };
    });
    return { values, problems: [...problems, ...misfits] };
  }
}
