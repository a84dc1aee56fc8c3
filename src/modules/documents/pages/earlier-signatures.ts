import { html, type Html } from '../../../kit/index.js';
import { certificateTexts, signatureLine } from '../engine/certificate/certificate-texts.js';
import type { EarlierSignature } from '../model/core/placed-fields.js';

/** Digital signatures that a file already had. */
export interface SignedFile {
  /** Null for the only file of a document. */
  name: string | null;
  signatures: readonly EarlierSignature[];
}

/** The digital signatures that the files of a document already had, as the certificate of the signatures lists them. */
export function earlierSignatures(files: readonly SignedFile[], language: string): Html | false {
  const { texts } = certificateTexts(language);
  const lines = files.flatMap(({ name, signatures }) =>
    signatures.map((signature) => `${name === null ? '' : `${name}: `}${signatureLine(signature, texts)}`),
  );
  return (
    lines.length > 0 &&
    html`<h2>${texts.facts.signedBefore}</h2>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
  );
}
