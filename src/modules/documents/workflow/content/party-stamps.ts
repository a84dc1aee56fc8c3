import { isEntered, printedValue } from '../../model/placed/placed-values.js';
import type { PlacedField } from '../../model/records/document-file.entity.js';
import type { Signature, SignatureParty } from '../../model/records/signature-party.entity.js';
import type { Texts } from '../../pages/texts/en.js';
import type { Stamp } from '../../engine/stamping/stamp-pdf.js';

/** The part of a signature's height that a line about an earlier signer takes. */
const CAPTION = 0.24;

/** The stamps of the parties that signed. */
export function stampsOf(
  fields: readonly PlacedField[],
  signers: readonly SignatureParty[],
  { language, timeZone, texts }: { language: string; timeZone: string; texts: Texts },
): Stamp[] {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  return fields.flatMap((field): Stamp[] => {
    const { key, party, kind, page, x, y, w, h } = field;
    const signer = signers.find((one) => one.key === party);
    if (!signer?.signature || !signer.signed_at) return [];
    const place = { page, x, y, w, h, png: null, isSignature: kind === 'signature' || kind === 'initials' };
    if (isEntered(field)) {
      const print = Object.hasOwn(signer.field_values, key) ? printedValue(field, signer.field_values[key], language) : null;
      return print ? [{ ...place, ...print.place, text: print.text, isMark: print.isMark }] : [];
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
    if (kind === 'initials') return [{ ...place, text: initialsOf(signature.kind === 'typed' ? signature.text : signer.name) }];
    return [signatureStamp(place, signer.name, signature)];
  });
}

function signatureStamp(place: Omit<Stamp, 'text'>, name: string, signature: Signature): Stamp {
  return signature.kind === 'typed'
    ? { ...place, text: signature.text }
    : { ...place, text: name, png: Buffer.from(signature.png, 'base64') };
}

function initialsOf(name: string): string {
  return (name.match(/(?<![\p{L}\p{M}])\p{L}/gu) ?? []).join('').toUpperCase();
}
