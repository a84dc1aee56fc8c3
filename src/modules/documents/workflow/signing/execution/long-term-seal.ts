import { Injectable, Logger } from '@nestjs/common';
import { CommonErrors, type Ctx } from '../../../../../kit/index.js';
import { DocumentSeal } from '../../../engine/sealing/document-seal.js';
import { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import type { ExecutedInput } from '../../../engine/typesetting/pdf-worker.js';

const RETRY_AFTER_S = 60;

/**
 * Seals executed files. With time-stamp authorities in the configuration, a seal can be validated for as long as the file exists, even
 * after its certificate has expired: it contains a time stamp and the proofs that no certificate was revoked (PAdES B-LT).
 */
@Injectable()
export class LongTermSeal {
  private readonly logger = new Logger(LongTermSeal.name);

  constructor(
    private readonly typesetter: PdfTypesetter,
    private readonly seal: DocumentSeal,
  ) {}

  /** Whether the files of a mode get a time stamp. It may cost money, so those of test mode do without. */
  hasTimeStamp(mode: Ctx['mode']): boolean {
    return mode === 'live' && this.seal.timeStampUrls.length > 0;
  }

  /** Signing without it only takes longer, and says what is wrong with the key. */
  async prepare(): Promise<void> {
    await this.typesetter.prepare(this.seal.key).catch(() => undefined);
  }

  /** Waits for other servers: call it while no transaction is open. */
  async executed(input: ExecutedInput): Promise<Buffer> {
    if (!input.hasTimeStamp) return this.typesetter.executed(input);
    const [sealed, { signatureIn }, { requestTimeStamp }, { validationDataOf }] = await Promise.all([
      this.typesetter.executed(input),
      import('../../../engine/sealing/signature-in-file.js'),
      import('../../../engine/sealing/time-stamp.js'),
      import('../../../engine/sealing/revocation.js'),
    ]);
    try {
      const signature = signatureIn(sealed);
      const { token, certificates } = await requestTimeStamp(this.seal.timeStampUrls, signature.value);
      const data = await validationDataOf([...signature.certificates, ...certificates]);
      for (const reason of data.missing) this.logger.warn(`A sealed file lacks the proof that a certificate is not revoked: ${reason}.`);
      return await this.typesetter.stamped({ sealed, token, data });
    } catch (error) {
      this.logger.error(error);
      throw CommonErrors.unavailable({
        message: 'The time stamp of the seal could not be obtained, so nothing was signed. Try again in a minute.',
        headers: { 'Retry-After': String(RETRY_AFTER_S) },
      });
    }
  }
}
