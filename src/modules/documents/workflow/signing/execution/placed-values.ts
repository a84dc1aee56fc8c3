import type { FormProblem, Tx } from '../../../../../kit/index.js';
import type { PlacedField } from '../../../model/records/document-file.entity.js';
import type { Signature, SignatureParty } from '../../../model/records/signature-party.entity.js';
import type { Texts } from '../../../pages/texts/en.js';
import { printProblems } from '../../../engine/pdf/printable-content.js';
import type { Stamp } from '../../../engine/stamping/stamp-pdf.js';

const LONGEST = 200;
/** The part of a signature's height that a line about an earlier signer takes. */
const CAPTION = 0.24;

/** The texts that a party enters, by key of the field, or what is wrong with them. */
export async function readPlacedValues(
  tx: Tx,
  fields: readonly PlacedField[],
  party: string,
  given: Record<string, unknown>,
  { colon, problems: texts }: Texts,
): Promise<{ values: Record<string, string>; problems: FormProblem[] }> {
  const values: Record<string, string> = {};
  const problems: FormProblem[] = [];
  const entered = textsOf(fields, party).map((field) => ({ ...field, text: textIn(given, field.key) }));
  const printFaults = await printProblems(
    tx,
    // longer texts are rejected anyway
    entered.map(({ text }) => text.slice(0, LONGEST)),
  );
  for (const [index, { key, label, required, text }] of entered.entries()) {
    const reject = (problem: string) => problems.push({ field: inputId(key), text: `${label}${colon} ${problem}` });
    if (text === '') {
      if (required) reject(texts.fieldMissing);
    } else if (text.length > LONGEST) reject(texts.tooLong(LONGEST));
    else if (printFaults[index] !== null) reject(texts.fieldUnprintable);
    else values[key] = text;
  }
  return { values, problems };
}

function textIn(given: Record<string, unknown>, key: string): string {
  const raw = Object.hasOwn(given, key) ? given[key] : '';
  return typeof raw === 'string' ? raw.trim().replace(/\s+/g, ' ') : '';
}

export function textsOf(fields: readonly PlacedField[], party: string): PlacedField[] {
  return fields.filter((field) => field.party === party && field.kind === 'text');
}

export function inputId(key: string): string {
  return `placed_${key}`;
}

/** The stamps of the parties that signed. */
export function stampsOf(
  fields: readonly PlacedField[],
  signers: readonly SignatureParty[],
  { language, timeZone, texts }: { language: string; timeZone: string; texts: Texts },
): Stamp[] {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  return fields.flatMap(({ key, party, kind, page, x, y, w, h }): Stamp[] => {
    const signer = signers.find((one) => one.key === party);
    if (!signer?.signature || !signer.signed_at) return [];
    const place = { page, x, y, w, h, png: null, isSignature: kind === 'signature' || kind === 'initials' };
    if (kind === 'text') return key in signer.field_values ? [{ ...place, text: signer.field_values[key] }] : [];
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
