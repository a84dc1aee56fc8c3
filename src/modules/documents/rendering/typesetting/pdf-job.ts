import type { CertificateInput } from '../certificate/certificate.js';
import type { PdfInput } from '../pdf/render-pdf.js';

/** What can be typeset. Plain data, since it may be handed to another thread. */
export type PdfJob = { kind: 'document'; input: PdfInput } | { kind: 'certificate'; input: CertificateInput };

/** What makes PDFs is loaded when the first is made: it is large, and many processes make none. */
export async function typesetJob(job: PdfJob): Promise<Buffer> {
  if (job.kind === 'document') return (await import('../pdf/render-pdf.js')).renderPdf(job.input);
  return (await import('../certificate/certificate.js')).certificatePage(withBuffers(job.input));
}

/** Between threads a buffer becomes a plain array of bytes. */
function withBuffers(input: CertificateInput): CertificateInput {
  return {
    ...input,
    parties: input.parties.map((party) => ({
      ...party,
      signature: party.signature.kind === 'drawn' ? { kind: 'drawn', png: Buffer.from(party.signature.png) } : party.signature,
    })),
  };
}
