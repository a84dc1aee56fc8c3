import type { FormProblem } from '../../../../kit/index.js';
import { printProblem } from '../../rendering/pdf/printable-content.js';
import { drawingProblem } from '../../rendering/certificate/certificate-drawing.js';
import type { Signature } from '../../model/records/signature-party.entity.js';
import type { SignDto } from './signing.dto.js';

const PNG_URL = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;

/** Reads the signature from the form. It is null if there are problems with it. */
export async function readSignature({
  kind = 'typed',
  typed_name = '',
  drawing = '',
  consent = '',
}: SignDto): Promise<{ signature: Signature | null; problems: FormProblem[] }> {
  const read = kind === 'drawn' ? readDrawing(drawing) : await readTyped(typed_name);
  const problems = 'field' in read ? [read] : [];
  if (consent !== 'yes') problems.push({ field: 'consent', text: 'Confirm that you agree to sign electronically.' });
  return { signature: 'field' in read ? null : read, problems };
}

async function readTyped(name: string): Promise<Signature | FormProblem> {
  const text = name.trim().replace(/\s+/g, ' ');
  if (text === '') return { field: 'typed_name', text: 'Type your name as your signature.' };
  const problem = await printProblem(text);
  return problem === null
    ? { kind: 'typed', text }
    : { field: 'typed_name', text: `Your name ${problem}. Type it in Latin letters, or draw it instead.` };
}

function readDrawing(url: string): Signature | FormProblem {
  const png = PNG_URL.exec(url)?.[1];
  if (png === undefined) return { field: 'kind_drawn', text: 'Draw your signature, or type your name instead.' };
  const problem = drawingProblem(Buffer.from(png, 'base64'));
  return problem === null
    ? { kind: 'drawn', png }
    : { field: 'kind_drawn', text: `The drawing ${problem}. Clear it and draw again, or type your name instead.` };
}
