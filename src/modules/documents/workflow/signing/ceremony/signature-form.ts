import type { FormProblem } from '../../../../../kit/index.js';
import { printProblem } from '../../../engine/pdf/printable-content.js';
import { drawingProblem } from '../../../engine/certificate/certificate-drawing.js';
import type { Signature } from '../../../model/records/signature-party.entity.js';
import type { Texts } from '../../../pages/texts/en.js';
import type { SignDto } from './signing.dto.js';

/** Captures the base64 text of a drawing. */
export const DRAWING_URL = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;

/** Reads the signature from the form. It is null if there are problems with it. */
export async function readSignature(
  { kind = 'typed', typed_name = '', drawing = '', consent = '' }: SignDto,
  texts: Texts['problems'],
): Promise<{ signature: Signature | null; problems: FormProblem[] }> {
  const read = kind === 'drawn' ? readDrawing(drawing, texts) : await readTyped(typed_name, texts);
  const problems = 'field' in read ? [read] : [];
  if (consent !== 'yes') problems.push({ field: 'consent', text: texts.consent });
  return { signature: 'field' in read ? null : read, problems };
}

async function readTyped(name: string, texts: Texts['problems']): Promise<Signature | FormProblem> {
  const text = name.trim().replace(/\s+/g, ' ');
  if (text === '') return { field: 'typed_name', text: texts.nameMissing };
  const problem = await printProblem(text);
  return problem === null ? { kind: 'typed', text } : { field: 'typed_name', text: texts.name(problem) };
}

function readDrawing(url: string, texts: Texts['problems']): Signature | FormProblem {
  const png = DRAWING_URL.exec(url)?.[1];
  if (png === undefined) return { field: 'kind_drawn', text: texts.drawingMissing };
  const problem = drawingProblem(Buffer.from(png, 'base64'));
  return problem === null ? { kind: 'drawn', png } : { field: 'kind_drawn', text: texts.drawing(problem) };
}
