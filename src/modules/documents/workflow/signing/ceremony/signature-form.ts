import { Injectable } from '@nestjs/common';
import type { FormProblem } from '../../../../../kit/index.js';
import { printProblem } from '../../../engine/pdf/printable-content.js';
import { drawingProblem } from '../../../engine/certificate/certificate-drawing.js';
import { PagePictures } from '../../../engine/pictures/page-pictures.service.js';
import { FACES, type Face, type Signature } from '../../../model/records/signature-party.entity.js';
import { adoptTextsIn, type AdoptTexts } from '../../../pages/texts/adopt-texts.js';
import type { Texts } from '../../../pages/texts/en.js';
import type { Look } from '../../../settings/document-looks.service.js';
import type { SignDto } from './signing.dto.js';

/** Captures the base64 text of a drawing. */
export const DRAWING_URL = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;
/** The same of an uploaded picture. */
export const PICTURE_URL = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The two things that a party adopts on its page, each in one of the ways. */
export type Adopted = 'signature' | 'initials';
export const WAYS = ['typed', 'drawn', 'uploaded'] as const;
export type Way = (typeof WAYS)[number];

/** What was sent for one of them. */
export interface SentSignature {
  way: Way;
  text: string;
  face: Face | null;
  drawing: string;
  picture: string;
}

export function sentSignature(form: SignDto, adopted: Adopted): SentSignature {
  const { face = '' } = form;
  const [way, text, drawing, picture] =
    adopted === 'signature'
      ? [form.kind, form.typed_name, form.drawing, form.picture]
      : [form.initials_kind, form.initials, form.initials_drawing, form.initials_picture];
  return {
    way: WAYS.find((one) => one === way) ?? 'typed',
    text: text ?? '',
    face: FACES.find((one) => one === face) ?? null,
    drawing: drawing ?? '',
    picture: picture ?? '',
  };
}

/** The ids of the controls. */
export function controlId(adopted: Adopted, control: 'text' | Way): string {
  if (control === 'text') return adopted === 'signature' ? 'typed_name' : 'initials';
  return adopted === 'signature' ? `kind_${control}` : `initials_${control}`;
}

/** Reads what a party adopts as its signature and its initials. */
@Injectable()
export class SignatureForm {
  constructor(private readonly pictures: PagePictures) {}

  /** The signature is null if there are problems; initials are null if the form has none. */
  async read(form: SignDto, look: Look): Promise<{ signature: Signature | null; initials: Signature | null; problems: FormProblem[] }> {
    const hasInitials = form.initials_kind !== undefined;
    const signature = await this.readOne('signature', sentSignature(form, 'signature'), look);
    const initials = hasInitials ? await this.readOne('initials', sentSignature(form, 'initials'), look) : null;
    const problems = [signature, initials].filter((read) => read !== null && 'field' in read) as FormProblem[];
    if (form.consent !== 'yes') problems.push({ field: 'consent', text: look.texts.problems.consent });
    return {
      signature: 'field' in signature ? null : signature,
      initials: initials && 'field' in initials ? null : initials,
      problems,
    };
  }

  private async readOne(
    adopted: Adopted,
    sent: SentSignature,
    { texts: { problems: texts }, language }: Look,
  ): Promise<Signature | FormProblem> {
    if (sent.way === 'drawn') return readDrawing(controlId(adopted, 'drawn'), sent.drawing, texts);
    if (sent.way === 'uploaded') return this.readPicture(controlId(adopted, 'uploaded'), sent.picture, adoptTextsIn(language).problems);
    const text = sent.text.trim().replace(/\s+/g, ' ');
    const field = controlId(adopted, 'text');
    if (text === '') return { field, text: adopted === 'signature' ? texts.nameMissing : adoptTextsIn(language).problems.initialsMissing };
    const problem = await printProblem(text);
    if (problem !== null) return { field, text: texts.name(problem) };
    return { kind: 'typed', text, ...(sent.face && { face: sent.face }) };
  }

  private async readPicture(field: string, url: string, texts: AdoptTexts['problems']): Promise<Signature | FormProblem> {
    const given = PICTURE_URL.exec(url)?.[1];
    if (given === undefined) return { field, text: texts.pictureMissing };
    const png = await this.pictures.signature(Buffer.from(given, 'base64'));
    return png === null || drawingProblem(png) !== null
      ? { field, text: texts.picture }
      : { kind: 'uploaded', png: png.toString('base64') };
  }
}

function readDrawing(field: string, url: string, texts: Texts['problems']): Signature | FormProblem {
  const png = DRAWING_URL.exec(url)?.[1];
  if (png === undefined) return { field, text: texts.drawingMissing };
  const problem = drawingProblem(Buffer.from(png, 'base64'));
  return problem === null ? { kind: 'drawn', png } : { field, text: texts.drawing(problem) };
}
