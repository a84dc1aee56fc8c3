import { isShown } from '../../model/placed/placed-expressions.js';
import { isEntered, lookOf, printedValue, writtenValue } from '../../model/placed/placed-values.js';
import type { FieldInFile, PlacedField } from '../../model/core/placed-fields.js';
import { filledInBy, type Signature, type SignatureParty } from '../../model/records/signature-party.entity.js';
import type { Texts } from '../../pages/texts/en.js';
import type { PageSigner } from '../../engine/content/executed-html.js';
import type { Stamp } from '../../engine/stamping/stamp-pdf.js';

/** The part of a signature's height that a line about an earlier signer takes. */
const CAPTION = 0.24;

/** How values are written on the pages. */
export interface Printing {
  /** Of the document, BCP 47. */
  language: string;
  /** Of the project. */
  timeZone: string;
  texts: Texts;
}

/** The stamps of the parties that signed, on the file in a position. `fields`: of all files. */
export function stampsOf(
  fields: readonly FieldInFile[],
  signers: readonly SignatureParty[],
  { language, timeZone, texts }: Printing,
  position: number,
): Stamp[] {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  // what those who sign later fill in changes no page that was signed
  const filledInBefore = (signer: SignatureParty) => filledInBy(signers.slice(0, signers.indexOf(signer) + 1));
  return fields.flatMap((field): Stamp[] => {
    const { key, party, kind, page, x, y, w, h } = field;
    const signer = field.position === position ? signers.find((one) => one.key === party) : undefined;
    if (!signer?.signature || !signer.signed_at) return [];
    if (!isEntered(field) && !isShown(field, fields, (name) => filledInBefore(signer)[name])) return [];
    const place = { page, x, y, w, h, png: null, isSignature: kind === 'signature' || kind === 'initials', ...lookOf(field) };
    if (isEntered(field)) {
      const print = Object.hasOwn(signer.field_values, key) ? printedValue(field, signer.field_values[key], language) : null;
      if (print === null) return [];
      const { place: box, room: _, ...printed } = print;
      return [{ ...place, ...box, ...printed }];
    }
    if (kind === 'date') return [{ ...place, text: date.format(signer.signed_at) }];
    const { signature, earlier_signers } = signer;
    const [earlier] = earlier_signers;
    if (kind === 'signature' && earlier !== undefined) {
      // the final text names another person below the line
      const caption = `${signer.name} (${texts.document.earlier(earlier.name)})`;
      const [top, bottom] = [
        { ...place, h: h * CAPTION, isSignature: false },
        { ...place, y: y + h * CAPTION, h: h * (1 - CAPTION) },
      ];
      return [{ ...top, text: caption }, signatureStamp(bottom, signer.name, signature)];
    }
    if (kind === 'initials') return [signatureStamp(place, initialsOf(signer.name), initialsBy(signer, signature))];
    return [signatureStamp(place, signer.name, signature)];
  });
}

/** The parties that signed, for the page of the document. */
export function pageSigners(
  fields: readonly PlacedField[],
  signers: readonly SignatureParty[],
  { language, timeZone }: Printing,
): PageSigner[] {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  return signers.map((signer) => {
    const { key, label, name, signature, signed_at } = signer;
    const day = date.format(signed_at as Date);
    const initials = signature && initialsBy(signer, signature);
    return {
      key,
      label,
      // as the stamp on the page
      name: signature?.kind === 'typed' ? signature.text : name,
      day,
      entries: fields.flatMap((field): PageSigner['entries'] => {
        if (field.party !== key) return [];
        if (field.kind === 'date') return [{ key: field.key, label: null, text: day }];
        if (field.kind === 'initials')
          return [{ key: field.key, label: null, text: initials?.kind === 'typed' ? initials.text : initialsOf(name) }];
        return enteredIn(field, signer, language);
      }),
    };
  });
}

/** What a party filled in, as the pages show it. */
export function enteredBy(fields: readonly PlacedField[], signer: SignatureParty, language: string): Entry[] {
  return fields.flatMap((field) => (field.party === signer.key ? enteredIn(field, signer, language) : []));
}

function enteredIn(field: PlacedField, { field_values }: SignatureParty, language: string): Entry[] {
  const { key, label } = field;
  if (!isEntered(field) || !Object.hasOwn(field_values, key)) return [];
  return [{ key, label: label ?? key, text: writtenValue(field, field_values[key], language) || '—' }];
}

interface Entry {
  key: string;
  label: string;
  text: string;
}

function signatureStamp(place: Omit<Stamp, 'text'>, name: string, signature: Signature): Stamp {
  return signature.kind === 'typed'
    ? { ...place, text: signature.text, face: signature.face }
    : { ...place, text: name, png: Buffer.from(signature.png, 'base64') };
}

function initialsBy({ initials, name }: SignatureParty, signature: Signature): Signature {
  if (initials) return initials;
  return signature.kind === 'typed' ? { ...signature, text: initialsOf(signature.text) } : { kind: 'typed', text: initialsOf(name) };
}

export function initialsOf(name: string): string {
  return (name.match(/(?<![\p{L}\p{M}])\p{L}/gu) ?? []).join('').toUpperCase();
}
