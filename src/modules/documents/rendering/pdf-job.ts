import { certificatePage, type CertificateInput } from '../signing/certificate.js';
import { renderPdf, type PdfInput } from './render-pdf.js';

/** What can be typeset. Plain data, since it may be handed to another thread. */
export type PdfJob = { kind: 'document'; input: PdfInput } | { kind: 'certificate'; input: CertificateInput };

export function typesetJob(job: PdfJob): Promise<Buffer> {
  return job.kind === 'document' ? renderPdf(job.input) : certificatePage(withBuffers(job.input));
}

/** Between threads a buffer becomes a plain array of bytes. */
function withBuffers(input: CertificateInput): CertificateInput {
  return { ...input, parties: input.parties.map((party) => ({ ...party, signature: party.signature.kind === 'drawn' ? { kind: 'drawn', png: Buffer.from(party.signature.png) } : party.signature })) };
}
