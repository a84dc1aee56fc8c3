import { html, type Html } from '../../../kit/index.js';
import { certificateTexts, signatureLine } from '../engine/certificate/certificate-texts.js';
import type { EarlierSignature } from '../model/core/placed-fields.js';

/** The digital signatures that the file of a document already had, as the certificate of the signatures lists them. */
export function earlierSignatures(signatures: readonly EarlierSignature[], language: string): Html | false {
  const { texts } = certificateTexts(language);
  return (
    signatures.length > 0 &&
    html`<h2>${texts.facts.signedBefore}</h2>
<ul>${signatures.map((signature) => html`<li>${signatureLine(signature, texts)}</li>`)}</ul>`
  );
}
